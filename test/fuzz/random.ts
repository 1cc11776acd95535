// Random choices that follow from a seed alone. Used by the fuzz targets and the kill tests.

export interface Random {
  /** 0 or more, less than `below`. */
  number(below: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True once in `times`. */
  oneIn(times: number): boolean;
}

/** mulberry32: small, fast and good enough to choose test inputs. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  const number = (below: number): number => Math.floor(next() * below);
  return {
    number,
    pick: (items) => items[number(items.length)] ?? items[0],
    oneIn: (times) => number(times) === 0,
  };
}

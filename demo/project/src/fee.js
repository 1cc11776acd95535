const FREE_MINUTES = 30;
const CENTS_PER_HOUR = 200;

/** The fee for a stay of so many minutes, in cents. */
export function fee(minutes) {
  if (minutes <= FREE_MINUTES) return 0;
  const hours = Math.round(minutes / 60);
  return hours * CENTS_PER_HOUR;
}

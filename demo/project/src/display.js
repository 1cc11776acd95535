import { fee } from "./fee.js";

/** What the machine at the exit shows, such as "61 min: 4.00". */
export function display(minutes) {
  return `${minutes} min: ${(fee(minutes) / 100).toFixed(2)}`;
}

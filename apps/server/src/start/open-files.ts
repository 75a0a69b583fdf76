import fs from 'node:fs'

/** Where the system does not say. */
const USUAL = 1_024

/** How many files, connections included, this process may have open. */
export function openFilesLimit(read = () => fs.readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(read())?.[1]
    return soft === 'unlimited' ? Infinity : Number(soft ?? USUAL)
  } catch {
    return USUAL
  }
}

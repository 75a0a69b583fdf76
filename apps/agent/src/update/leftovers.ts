import fs from 'node:fs'
import path from 'node:path'

/** Where a newer program is fetched to. Two agents of one program do not write into each other's. */
export const freshOf = (program: string, pid: number) => `${program}.new-${pid}`

/** Removes what an agent had begun to fetch when it was killed: 120 MB each time. */
export function clearLeftovers(program: string): void {
  const folder = path.dirname(program)
  for (const name of fs.readdirSync(folder)) {
    const pid = Number(/\.new-(\d{1,10})$/.exec(name)?.[1])
    if (path.join(folder, name) !== freshOf(program, pid) || (pid !== process.pid && isRunning(pid))) continue
    fs.rmSync(path.join(folder, name), { force: true })
  }
}

/** Another user's process may not be signalled, and runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

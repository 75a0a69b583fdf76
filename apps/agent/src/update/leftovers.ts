import fs from 'node:fs'
import path from 'node:path'

/** Where a newer program is fetched to. Two agents of one program do not write into each other's. */
export const freshOf = (program: string, pid: number) => `${program}.new-${pid}`

/** Removes what an agent had begun to fetch when it was killed: 120 MB each time. What cannot be removed stays, and stops nothing. */
export function clearLeftovers(program: string): void {
  const folder = path.dirname(program)
  for (const name of namesIn(folder)) {
    const pid = Number(/\.new-(\d{1,10})$/.exec(name)?.[1])
    if (path.join(folder, name) !== freshOf(program, pid) || (pid !== process.pid && isRunning(pid))) continue
    remove(path.join(folder, name))
  }
}

/** The folder of a program need not be one that can be listed. */
function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

function remove(file: string): void {
  try {
    fs.rmSync(file, { force: true })
  } catch {
    // a folder of that name, or a file system that is read-only
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

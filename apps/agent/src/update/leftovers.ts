import fs from 'node:fs'
import path from 'node:path'

/** Path of a download in progress. Two agents that share a program have separate files. */
export const freshOf = (program: string, pid: number) => `${program}.new-${pid}`

/** Removes the partial downloads (up to 120 MB) of agents that were killed. A failure is ignored. */
export function clearLeftovers(program: string): void {
  const folder = path.dirname(program)
  for (const name of namesIn(folder)) {
    const pid = Number(/\.new-(\d{1,10})$/.exec(name)?.[1])
    if (path.join(folder, name) !== freshOf(program, pid) || (pid !== process.pid && isRunning(pid))) continue
    remove(path.join(folder, name))
  }
}

/** The agent may lack the permission to list its folder. */
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
    // a folder with that name, or a read-only file system
  }
}

/** EPERM: the process is running as another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

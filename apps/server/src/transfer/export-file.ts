import { maxExportLength } from '@pulse/contract'
import fs from 'node:fs'
import { StartupError } from '../startup-error.ts'

/** The text of an export file; a file that is too large for an export is not read. */
export function readExport(file: string): string {
  try {
    const { size } = fs.statSync(file)
    if (size > maxExportLength + 1_000) {
      throw new StartupError(`${file} is too large to be an export of Pulse.`, 'Name the right file.')
    }
    return fs.readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `${file} cannot be read: ${(cause as Error).message}`,
      'Name a file that Pulse may read.',
      {
        cause,
      },
    )
  }
}

/** Never overwrites a file. Only the owner can read the new one. */
export function writeExport(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    throw new StartupError(
      exists ? `${file} exists already.` : `${file} cannot be written: ${(cause as Error).message}`,
      exists ? 'Name another file.' : 'Name a file that Pulse may write.',
      { cause },
    )
  }
}

import fs from 'node:fs'
import path from 'node:path'

/**
 * The files below a folder with their bytes as latin1. A temporary file, such as a journal, may have been
 * removed meanwhile.
 */
export function readFiles(folder: string): { name: string; text: string }[] {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return []
    try {
      return [{ name: entry.name, text: fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1') }]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
}

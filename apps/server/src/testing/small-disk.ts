import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface SmallDisk {
  dir: string
  /** Fills the disk until the file `filler` on it is removed. */
  fill(): void
  end(): void
}

/** A folder on a disk of so many megabytes; undefined if that is impossible. */
export function aSmallDisk(megabytes = 1): SmallDisk | undefined {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/mount')) return undefined
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-small-'))
  const { status } = spawnSync('/usr/bin/mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=700`,
    'tmpfs',
    dir,
  ])
  if (status !== 0) return undefined
  return {
    dir,
    fill() {
      const handle = fs.openSync(path.join(dir, 'filler'), 'w')
      try {
        for (const page = Buffer.alloc(4096); ;) fs.writeSync(handle, page)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        fs.closeSync(handle)
      }
    },
    end() {
      // A process that another thread is just starting keeps our files open for a moment, so the disk is
      // busy.
      spawnSync('/usr/bin/umount', ['--lazy', dir])
      fs.rmSync(dir, { recursive: true, force: true })
    },
  }
}

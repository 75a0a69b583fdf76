import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import type { Manifest } from '../manifest.ts'
import { UpdateError } from '../update-error.ts'
import { syncAll, syncFolder } from './durable.ts'
import type { Slot } from './journal.ts'

const Release = z.object({ name: z.literal('pulse'), version: z.string(), platform: z.string() })
export type Release = z.infer<typeof Release>

export const slotFolder = (root: string, slot: Slot) => path.join(root, 'slots', slot)
/** The folder of a release while it is incomplete. */
export const freshFolder = (root: string) => path.join(root, 'slots', 'fresh')
export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a')

export function currentSlot(root: string): Slot {
  const target = fs.readlinkSync(path.join(root, 'current'))
  const slot = /^slots\/([ab])\/?$/.exec(target)?.[1]
  if (slot === 'a' || slot === 'b') return slot
  throw new Error(`${path.join(root, 'current')} links to ${target}; it must link to slots/a or slots/b.`)
}

/** Makes the service use the other slot, by an atomic rename. */
export function turnTo(root: string, slot: Slot): void {
  const link = path.join(root, 'current.new')
  fs.rmSync(link, { force: true })
  fs.symlinkSync(`slots/${slot}`, link)
  fs.renameSync(link, path.join(root, 'current'))
  syncFolder(root)
}

export const releaseIn = (folder: string): Release =>
  Release.parse(JSON.parse(fs.readFileSync(path.join(folder, 'release.json'), 'utf8')))

/** Replaces the release in the idle slot; complete and on the disk on return. */
export async function fillSlot(
  root: string,
  slot: Slot,
  archive: string,
  { version }: Manifest,
  platform: string,
) {
  const fresh = freshFolder(root)
  fs.rmSync(fresh, { recursive: true, force: true })
  fs.mkdirSync(fresh, { mode: 0o755 })
  await unpack(archive, fresh)
  const names = fs.readdirSync(fresh)
  const top = path.join(fresh, names[0] ?? '')
  if (names.length !== 1 || !fs.lstatSync(top).isDirectory()) {
    throw new UpdateError('unpacking', 'The archive of the release does not contain exactly one folder.')
  }
  const found = releaseIn(top)
  if (found.version !== version || found.platform !== platform) {
    throw new UpdateError(
      'unpacking',
      `The archive contains ${found.version} for ${found.platform}, which does not match its name.`,
    )
  }
  const folder = slotFolder(root, slot)
  await syncAll(fresh)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(top, folder)
  fs.rmSync(fresh, { recursive: true, force: true })
  syncFolder(path.dirname(folder))
}

/** With less free space than this, a failed write means a full disk. */
const FULL_BYTES = 16 * 1024 * 1024

/** Uses the machine's tar, which skips entries that would leave the folder. */
async function unpack(archive: string, folder: string): Promise<void> {
  const options = ['--no-same-owner', '--no-same-permissions', '-C', folder, '-xzf', archive]
  const tar = spawn('tar', options, { stdio: 'inherit' })
  const [code] = (await once(tar, 'close')) as [number | null]
  if (code === 0) return
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize < FULL_BYTES)
    throw new UpdateError(
      'space',
      `There is not enough space in ${folder} to unpack the release. Free some space.`,
    )
  throw new UpdateError('unpacking', `tar could not unpack the release: it ended with ${code}.`)
}

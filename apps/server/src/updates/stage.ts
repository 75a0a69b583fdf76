import type { UpdateStatus } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import { archiveName, type Release } from './feed.ts'
import type { FeedClient } from './feed-client.ts'
import { staged, stagedFolder } from './handover.ts'
import { fileFor, maxManifestBytes, readManifest } from './manifest.ts'
import { UpdateError } from './update-error.ts'

export interface StageEdges {
  client: FeedClient
  keys: string
  platform: string
  running: string
  dataDir: string
  report: (progress: Pick<UpdateStatus, 'status' | 'progress' | 'message'>) => void
  signal: AbortSignal
}

/** Space for the saved data and the unpacked release comes in addition; the switch checks it again. */
const SPARE_BYTES = 100e6

/** Fetches a release into the folder that the switch reads; everything is verified on return. */
export async function stageRelease(release: Release, edges: StageEdges): Promise<{ bytes: number }> {
  const { client, keys, platform, running, dataDir, report, signal } = edges
  const folder = path.join(dataDir, stagedFolder)
  const at = (name: string) => path.join(folder, name)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { version } = release
  const urlOf = (name: string): string => {
    const url = release.assets.get(name)
    if (url !== undefined) return url
    throw new UpdateError('signature', `The release ${version} has no ${name}: nothing was installed.`)
  }
  report({ status: 'downloading', progress: 10, message: `Downloading ${version}` })
  const list = await client.small(urlOf(staged.manifest), signal)
  const signature = await client.small(urlOf(staged.signature), signal)
  if (list.length > maxManifestBytes)
    throw new UpdateError('signature', 'The manifest of the release is too large.')
  const manifest = readManifest(list, signature, keys)
  // The signed list comes first, because a feed may give an old release a new name.
  const file = fileFor(manifest, platform, running)
  if (manifest.version !== version)
    throw new UpdateError(
      'downgrade',
      `The release offered as ${version} is ${manifest.version}: nothing was installed.`,
    )
  requireDiskSpace(folder, file.bytes)

  let shown = 10
  const download = await client.archive(
    urlOf(archiveName(version, platform)),
    at(staged.archive),
    file.bytes,
    (bytes) => {
      const progress = 10 + Math.floor((bytes / file.bytes) * 20)
      if (progress === shown) return
      shown = progress
      report({ status: 'downloading', progress, message: `Downloading ${version}` })
    },
    signal,
  )
  report({ status: 'verifying', progress: 30, message: `Checking ${version}` })
  if (download.bytes !== file.bytes || download.sha256 !== file.sha256) {
    throw new UpdateError('checksum', 'The checksum of the archive does not match the published one.')
  }
  fs.writeFileSync(at(staged.manifest), list, { mode: 0o600, flush: true })
  fs.writeFileSync(at(staged.signature), signature, { mode: 0o600, flush: true })
  return { bytes: download.bytes }
}

function requireDiskSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize > bytes + SPARE_BYTES) return
  const megabytes = Math.ceil((bytes + SPARE_BYTES) / 1e6)
  throw new UpdateError('space', `The release needs ${megabytes} MB in the data folder. Free some space.`)
}

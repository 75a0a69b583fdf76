import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { staged } from '../handover.ts'
import {
  fileFor,
  type Manifest,
  maxManifestBytes,
  platform,
  readManifest,
  signatureBytes,
} from '../manifest.ts'
import { UpdateError } from '../update-error.ts'
import type { Owner } from './as-owner.ts'
import { releaseIn } from './slots.ts'

export interface Fetched {
  manifest: Manifest
  archive: string
  platform: string
}

/**
 * Copies the staged files to a folder that the server cannot write, and verifies them there with the running
 * release's code.
 */
export async function fetchStaged(owner: Owner, running: string, folder: string): Promise<Fetched> {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { mode: 0o700 })
  const at = (name: string) => path.join(folder, name)
  await owner.fetch(staged.manifest, at(staged.manifest), maxManifestBytes)
  await owner.fetch(staged.signature, at(staged.signature), signatureBytes)
  const keyFile = path.join(running, 'release-key.pem')
  if (!fs.existsSync(keyFile)) {
    throw new UpdateError('signature', 'The running release has no signing key, so it cannot verify updates.')
  }
  const keys = fs.readFileSync(keyFile, 'utf8')
  const manifest = readManifest(
    fs.readFileSync(at(staged.manifest)),
    fs.readFileSync(at(staged.signature)),
    keys,
  )
  const { version, platform: wanted = platform ?? '' } = releaseIn(running)
  const { bytes, sha256 } = fileFor(manifest, wanted, version)
  await owner.fetch(staged.archive, at(staged.archive), bytes)
  if ((await sumOf(at(staged.archive))) !== sha256) {
    throw new UpdateError('checksum', 'The checksum of the archive does not match the published one.')
  }
  return { manifest, archive: at(staged.archive), platform: wanted }
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of fs.createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

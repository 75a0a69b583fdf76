import { execFileSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { makeRelease } from '../../scripts/release.mjs'

export interface ReleaseFixture {
  /** the folder of all its files */
  folder: string
  version: string
  build: string
  /** the archive of this machine's platform, without its ending */
  name: string
  /** the public half of the signing key, PEM */
  publicKey: string
  /** Makes another release with the same key and returns its folder; `change` alters the content before it is packed. */
  another(version: string, change?: (folder: string) => void): Promise<string>
}

export const platform = process.arch === 'arm64' ? 'linux-arm64' : 'linux-amd64'

/** A publisher's key, made as in deploy/README.md. */
export function aKey(file: string): string {
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', file])
  return String(createPublicKey(fs.readFileSync(file)).export({ type: 'spki', format: 'pem' }))
}

/** One release for all tests of a file, for this machine's platform only and without the agents. */
export function releaseFixture(): ReleaseFixture {
  const given = {} as ReleaseFixture
  let parent: string
  beforeAll(async () => {
    parent = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-release-'))
    const keyFile = path.join(parent, 'release-key.pem')
    const publicKey = aKey(keyFile)
    const folder = path.join(parent, 'release')
    const common = { platforms: [platform], agents: false, keyFile, level: 1 }
    const { version, build } = await makeRelease({ ...common, out: folder })
    Object.assign(given, { folder, version, build, publicKey, name: `pulse-v${version}-${platform}` })
    given.another = async (wanted, change) => {
      const out = path.join(parent, wanted)
      await makeRelease({ ...common, out, version: wanted, ...(change && { change }) })
      return out
    }
  })
  afterAll(() => fs.rmSync(parent, { recursive: true }))
  return given
}

import { createHash, randomBytes, sign } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { VersionInfo } from '@pulse/contract'
import { type FakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { createOutbound } from '../outbound/guard.ts'
import { createFeedClient } from './feed-client.ts'
import type { aKey } from './fixtures.ts'
import { archiveName } from './feed.ts'

export const platform = 'linux-amd64'

export const pemOf = ({ publicKey }: ReturnType<typeof aKey>) =>
  String(publicKey.export({ type: 'spki', format: 'pem' }))

interface Published {
  version: string
  key?: ReturnType<typeof aKey>
  platform?: string
  size?: number
  /** version in the signed list, if different */
  inside?: string
  /** other values in the signed list, if different */
  listed?: { name?: string; platform?: string; bytes?: number; sha256?: string }
  /** extra bytes in the signed list */
  padding?: number
}

/** The files of a published release; the content of the archive does not matter here. */
export function publishedRelease(parent: string, release: Published): string {
  const { version, inside = version, key, size = 2_000, listed = {}, padding = 0 } = release
  const out = fs.mkdtempSync(path.join(parent, 'release-'))
  const name = archiveName(version, release.platform ?? platform)
  const archive = randomBytes(size)
  fs.writeFileSync(path.join(out, name), archive)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const file = { name, platform: release.platform ?? platform, bytes: size, sha256, ...listed }
  const channel = version.includes('-') ? 'rc' : 'stable'
  const list = {
    name: listed.name ?? 'pulse',
    version: inside,
    channel,
    build: 'b',
    files: [{ ...file, name }],
  }
  const manifest = Buffer.from(JSON.stringify(list) + ' '.repeat(padding))
  fs.writeFileSync(path.join(out, 'manifest.json'), manifest)
  if (key) fs.writeFileSync(path.join(out, 'manifest.json.sig'), sign(null, manifest, key.privateKey))
  return out
}

/** The version information of an installed release. */
export const anInstalled = (version: string, more: Partial<VersionInfo> = {}): VersionInfo => ({
  version,
  build: 'b',
  goVersion: '',
  runtime: 'node 26',
  channel: 'stable',
  isDocker: false,
  isSourceBuild: false,
  isDevelopment: false,
  deploymentType: 'systemd',
  updateAvailable: false,
  containerized: false,
  ...more,
})

export function clientOf(feed: string, clock: FakeClock) {
  const outbound = createOutbound({ clock, allowedHosts: () => [new URL(feed).host] })
  return createFeedClient(outbound, { feed, version: '1.0.0', clock })
}

/** A log that keeps its lines. */
export function keptLog() {
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg)
  return { log: pino({ level: 'info' }, { write }), lines }
}

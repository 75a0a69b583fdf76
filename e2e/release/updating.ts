import { type ReleaseFeed, startReleaseFeed } from '@pulse/lab'
import type { Machine } from '@pulse/testkit/machine'
import fs from 'node:fs'
import path from 'node:path'
import { vi } from 'vitest'
import { newToken } from '../../scripts/estate.mjs'
import { within } from '../../scripts/test-limits.ts'
import { type ReleaseFixture, platform } from './fixtures.ts'

export const account = { username: 'owner', password: 'a password of the owner' }

/** A release installed by its install script, and the feed that it queries for newer ones. */
export interface Installed {
  feed: ReleaseFeed
  /** of the server, as reached from here */
  url: string
  /** of an administrator */
  token: string
  /** Throws the response unless the call succeeds. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  running(): Promise<string | undefined>
  close(): Promise<void>
}

export async function install(given: ReleaseFixture, on: Machine): Promise<Installed> {
  const feed = await startReleaseFeed()
  await on.offer(Number(new URL(feed.url).port))
  await on.sh(`mkdir -p /etc/default; echo PULSE_UPDATE_SERVER=${feed.url} >/etc/default/pulse`)
  const archive = path.join(given.folder, `${given.name}.tar.gz`)
  const { code, stderr } = await on.sh(`sh ${given.folder}/install.sh --archive ${archive}`)
  if (code !== 0) throw new Error(`it cannot be installed: ${stderr}`)
  const url = `http://127.0.0.1:${await on.reach(7655)}`
  const token = newToken()

  async function call(method: string, where: string, body?: unknown): Promise<unknown> {
    const response = await fetch(url + where, {
      method,
      headers: { 'X-API-Token': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }

  const setupToken = (await on.sh('pulse bootstrap-token')).stdout.trim()
  await call('POST', '/api/security/quick-setup', { ...account, apiToken: token, setupToken })
  return {
    feed,
    url,
    token,
    call,
    /** undefined while no server answers */
    running: () =>
      call('GET', '/api/version').then(
        (said) => (said as { version: string }).version,
        () => undefined,
      ),
    close: () => feed.close(),
  }
}

export interface Entry {
  event_id: string
  status: string
  version_from: string
  version_to: string
  initiated_by: string
  backup_path?: string
  error?: { code: string; message: string }
}

/** Waits until the newest entry of the history has ended, whichever version answers meanwhile. */
export async function endOfUpdate({ call }: Installed, after?: string): Promise<Entry> {
  return vi.waitUntil(
    async () => {
      const [entry] = (await call('GET', '/api/updates/history?limit=1').catch(() => [])) as Entry[]
      return entry !== undefined && entry.event_id !== after && entry.status !== 'in_progress' && entry
    },
    { timeout: within(120_000), interval: 200 },
  )
}

/** Makes a version that corrupts its data and crashes as soon as it starts. */
export const falls = (folder: string): void =>
  fs.writeFileSync(
    path.join(folder, 'server/dist/main.js'),
    `import fs from 'node:fs'
     fs.writeFileSync(process.env.PULSE_DATA_DIR + '/pulse.db', 'spoilt')
     process.exit(1)\n`,
  )

/** The files of a release, renamed to another version. */
export function renamed(given: ReleaseFixture, version: string): string {
  const folder = path.join(given.folder, `../renamed-${version}`)
  fs.mkdirSync(folder)
  for (const name of fs.readdirSync(given.folder)) {
    const other = name === `${given.name}.tar.gz` ? `pulse-v${version}-${platform}.tar.gz` : name
    fs.linkSync(path.join(given.folder, name), path.join(folder, other))
  }
  return folder
}

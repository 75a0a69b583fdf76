import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ReleaseFeed, startReleaseFeed, type Tampering } from './feed.ts'

const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-releases-'))
const archive = 'pulse-v1.2.0-linux-amd64.tar.gz'
let feed: ReleaseFeed
beforeAll(async () => {
  feed = await startReleaseFeed()
})
afterEach(() => feed.clear())
afterAll(async () => {
  await feed.close()
  fs.rmSync(parent, { recursive: true })
})

function aFolder(version: string, channel = 'stable'): string {
  const folder = fs.mkdtempSync(path.join(parent, 'release-'))
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ version, channel }))
  fs.writeFileSync(path.join(folder, 'manifest.json.sig'), Buffer.alloc(64, 1))
  fs.writeFileSync(path.join(folder, `pulse-v${version}-linux-amd64.tar.gz`), Buffer.alloc(200_000, 2))
  return folder
}

interface Listed {
  tag_name: string
  draft: boolean
  prerelease: boolean
  assets: { name: string; size: number; browser_download_url: string }[]
}
const list = async () => (await (await fetch(feed.url)).json()) as Listed[]
const urlOf = async (name: string) =>
  (await list())[0]!.assets.find((asset) => asset.name === name)!.browser_download_url
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('the last published release comes first, with its files', async () => {
  feed.publish(aFolder('1.1.0'))
  feed.publish(aFolder('1.2.0-rc.1', 'rc'))
  feed.publish(aFolder('1.2.0'), { draft: true, tag: 'v9.9.9' })
  const found = await list()
  expect(found.map(({ tag_name, draft, prerelease }) => [tag_name, draft, prerelease])).toEqual([
    ['v9.9.9', true, false],
    ['v1.2.0-rc.1', false, true],
    ['v1.1.0', false, false],
  ])
  expect(found[0]!.assets.map(({ name, size }) => [name, size]).toSorted()).toEqual([
    ['manifest.json', 38],
    ['manifest.json.sig', 64],
    [archive, 200_000],
  ])
})

test('a client that has the list already gets 304', async () => {
  feed.publish(aFolder('1.1.0'))
  const etag = (await fetch(feed.url)).headers.get('etag')!
  expect((await fetch(feed.url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  feed.publish(aFolder('1.2.0'))
  expect((await fetch(feed.url, { headers: { 'if-none-match': etag } })).status).toBe(200)
  expect([feed.asked().length, feed.unchanged()]).toEqual([3, 1])
})

test('a file that no release has is not served, wherever it is', async () => {
  feed.publish(aFolder('1.2.0'))
  const { origin } = new URL(feed.url)
  for (const where of [
    '/',
    '/download/v1.2.0/other',
    '/download/v1.1.0/manifest.json',
    '/download/v1.2.0/..%2f..%2fetc',
  ])
    expect((await fetch(origin + where)).status, where).toBe(404)
})

test.each([
  [undefined, []],
  ['archive', [archive]],
  ['manifest', ['manifest.json']],
  ['signature', ['manifest.json.sig']],
] as [Tampering | undefined, string[]][])(
  'tampering with %s changes nothing else',
  async (tampered, changed) => {
    const folder = aFolder('1.2.0')
    feed.publish(folder, tampered && { tampered })
    for (const name of [archive, 'manifest.json', 'manifest.json.sig']) {
      const served = new Uint8Array(await (await fetch(await urlOf(name))).arrayBuffer())
      const real = fs.readFileSync(path.join(folder, name))
      expect(served.length).toBe(real.length)
      expect(sumOf(served) !== sumOf(real), name).toBe(changed.includes(name))
    }
  },
)

test('unsigned it has no signature; cut it ends in the middle', async () => {
  feed.publish(aFolder('1.2.0'), { tampered: 'unsigned' })
  expect((await list())[0]!.assets.map(({ name }) => name)).not.toContain('manifest.json.sig')
  feed.publish(aFolder('1.2.0'), { tampered: 'cut' })
  const answer = await fetch(await urlOf(archive))
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestFor, readReleases } from './feed.ts'
import { UpdateError } from './update-error.ts'

const at = { channel: 'rc', platform: 'linux-amd64', running: '1.0.0' } as const
const good = {
  tag_name: 'v1.2.0',
  assets: [{ name: 'pulse-v1.2.0-linux-amd64.tar.gz', browser_download_url: 'https://example.com/a' }],
}

test('one entry that is no release hides no other', () => {
  const odd = [null, 7, 'v9.9.9', {}, { tag_name: 9 }, { ...good, tag_name: 'v9.9.9', assets: 'none' }]
  const list = readReleases(JSON.stringify([...odd, good, ...odd]))
  expect(newestFor(list, at)?.version).toBe('1.2.0')
})

test('of what GitHub leaves empty nothing is missed', () => {
  const [release] = readReleases(JSON.stringify([{ ...good, body: null, published_at: null }]))
  expect(release).toMatchObject({ version: '1.2.0', notes: '', date: '', isPrerelease: false })
})

test('an archive without a usable address is none', () => {
  const [asset] = good.assets
  const list = readReleases(
    JSON.stringify([{ ...good, assets: [{ ...asset, browser_download_url: '//' }, 5] }]),
  )
  expect(newestFor(list, at)).toBeUndefined()
})

test('whatever a feed says, it is a list of releases or is refused as none', () => {
  const near = fc.record(
    {
      tag_name: fc.oneof(
        fc.string(),
        fc.constantFrom('v1.2.3', '2.0.0-rc.1', 'v1.2.3+b', '1.0.0-5-gabcdef0'),
      ),
      draft: fc.oneof(fc.boolean(), fc.string()),
      prerelease: fc.oneof(fc.boolean(), fc.constant(null)),
      body: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
      published_at: fc.oneof(fc.string(), fc.constant(null)),
      assets: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
    },
    { requiredKeys: [] },
  )
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.oneof(near, fc.jsonValue())).map((list) => JSON.stringify(list)),
  )
  fc.assert(
    fc.property(text, (said) => {
      try {
        for (const { version } of readReleases(said)) expect(version).toMatch(/^\d+\.\d+\.\d+/)
        newestFor(readReleases(said), at)
      } catch (error) {
        expect(error).toBeInstanceOf(UpdateError)
      }
    }),
    { numRuns: 200 },
  )
})

import { expect, test } from 'vitest'
import { memorySettings, memoryStore } from '../testing/memory-settings.ts'
import { viewerThemes } from './viewer-themes.ts'

function given(stored?: string) {
  const written: string[] = []
  const store = memoryStore(stored === undefined ? {} : { 'viewer-themes': stored })
  const { write } = store
  store.write = (key, text) => {
    if (key === 'viewer-themes') written.push(text)
    return write(key, text)
  }
  return { themes: viewerThemes(memorySettings(store)), store, written }
}

test('a thousand accounts are kept, the latest ones', async () => {
  const { themes, store } = given()
  await themes.start()
  for (let n = 0; n < 1_000; n++) await themes.choose(`proxy:p${n}`, 'dark')
  await themes.choose('proxy:p0', 'light')
  await themes.choose('proxy:p1000', 'dark')
  const again = viewerThemes(memorySettings(store))
  await again.start()
  const of = ['proxy:p0', 'proxy:p1', 'proxy:p2', 'proxy:p1000'].map(again.of)
  expect(of).toEqual(['light', undefined, 'dark', 'dark'])
})

test('the same choice again writes nothing, and choices at once lose none', async () => {
  const { themes, written } = given()
  await themes.start()
  await Promise.all(['a', 'b', 'c'].map((id) => themes.choose(id, 'dark')))
  await themes.choose('a', 'dark')
  expect(written).toHaveLength(3)
  expect(JSON.parse(written.at(-1)!)).toEqual([
    ['a', 'dark'],
    ['b', 'dark'],
    ['c', 'dark'],
  ])
})

test('[N 3] a choice at another process reaches the pages of this one, and no other account', async () => {
  const { themes, store } = given()
  await themes.start()
  const other = viewerThemes(memorySettings(store))
  await other.start()
  const heard: [id: string, theme: string | undefined][] = []
  themes.onChoice((id) => void heard.push([id, themes.of(id)]))
  await other.choose('anna', 'dark')
  await other.choose('vera', 'light')
  await themes.cache.reload()
  await themes.cache.reload()
  await other.choose('anna', '')
  await themes.cache.reload()
  expect(heard).toEqual([
    ['anna', 'dark'],
    ['vera', 'light'],
    ['anna', undefined],
  ])
})

test.each(['', 'no json', '{"a":1}', '[["a","pink"]]', '[[1,"dark"]]'])(
  'what cannot be read counts as no choice: %s',
  async (stored) => {
    const { themes } = given(stored)
    await themes.start()
    expect(themes.of('a')).toBeUndefined()
  },
)

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGround, filesOf, type Ground } from '../auth/fixtures.ts'
import { type SettingsStore, settingsStore } from './settings.ts'

let ground: Ground
let settings: SettingsStore

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  settings = settingsStore(ground.db, ground.vault, ground.clock.now)
})
afterAll(() => ground.end())

const rows = () => ground.db.query.selectFrom('settings').selectAll().execute()
const update = (key: string, value: string) =>
  ground.db.query.updateTable('settings').set({ value }).where('key', '=', key).execute()

describe('[S16] settings', () => {
  test('are read as they were written, the last of each name', async () => {
    expect(await settings.read('oidc')).toBeUndefined()
    await settings.write('oidc', '{"clientSecret":"one"}')
    await settings.write('system', '')
    await settings.write('oidc', '{"clientSecret":"Zoë 🔑"}')
    await ground.reopen()
    settings = settingsStore(ground.db, ground.vault, ground.clock.now)
    expect(await settings.read('oidc')).toBe('{"clientSecret":"Zoë 🔑"}')
    expect(await settings.read('system')).toBe('')
    expect((await rows()).map((row) => row.updated_at)).toEqual([ground.clock.now(), ground.clock.now()])
  })

  test('are sealed: nothing of them lies readable in the data folder or the rows', async () => {
    await settings.write('oidc', 'canary-client-secret')
    await settings.write('oidc', 'canary-client-secret')
    const stored = filesOf(ground.dataDir) + JSON.stringify(await rows())
    expect(stored).not.toContain('canary')
    expect(stored).not.toContain(Buffer.from('canary-client-secret').toString('base64').slice(0, 20))
  })

  test('of one name are refused under another', async () => {
    await settings.write('oidc', 'a')
    await settings.write('system', 'b')
    const [oidc, system] = (await rows()).toSorted((a, b) => a.key.localeCompare(b.key))
    await update('oidc', system!.value)
    await update('system', oidc!.value)
    await expect(settings.read('oidc')).rejects.toThrow()
    await expect(settings.read('system')).rejects.toThrow()
  })

  test('with any bit flipped are refused', async () => {
    await settings.write('oidc', 'a')
    const bytes = Buffer.from((await rows())[0]!.value, 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      await update('oidc', flipped.toString('base64'))
      await expect(settings.read('oidc')).rejects.toThrow()
    }
    await update('oidc', '')
    await expect(settings.read('oidc')).rejects.toThrow()
  })
})

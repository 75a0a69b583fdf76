import type { SystemSettings, SystemSettingsInput } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { anArea } from './fixtures.ts'
import { memoryStore } from '../testing/memory-settings.ts'

describe('[facts/platform 16.36] a change touches only what it names', () => {
  test('saving what was read changes nothing and writes nothing', async () => {
    const store = memoryStore({ system: '{"theme":"dark","allowedOrigins":"https://a.example"}' })
    const env = { LOG_LEVEL: 'silent', DISCOVERY_MAX_CONCURRENT: '7', BACKUP_POLLING_INTERVAL: '90s' }
    const { area, writes } = await anArea({ store, env })
    const before = area.current()
    expect(await area.change(structuredClone(before))).toEqual([])
    expect([area.current(), writes()]).toEqual([before, 0])
    expect(store.texts.get('system')).toBe('{"theme":"dark","allowedOrigins":"https://a.example"}')
  })

  test('presence decides: absent stays, an empty text empties', async () => {
    const { area } = await anArea({
      stored: { allowedOrigins: 'https://a.example', discoverySubnet: '10.0.0.0/24' },
    })
    expect(await area.change({ theme: 'dark', logLevel: undefined })).toEqual(['theme'])
    expect(area.current()).toMatchObject({ allowedOrigins: 'https://a.example', logLevel: 'info' })
    expect(await area.change({ allowedOrigins: '', discoverySubnet: '' })).toEqual([
      'allowedOrigins',
      'discoverySubnet',
    ])
    expect(area.current()).toMatchObject({ allowedOrigins: '', discoverySubnet: 'auto' })
  })

  test('a part of discoveryConfig keeps the others', async () => {
    const { area } = await anArea({ stored: { discoveryConfig: { max_concurrent: 5 } } })
    await area.change({ discoveryConfig: { scan_gateways: false } })
    expect(area.current().discoveryConfig).toMatchObject({
      max_concurrent: 5,
      scan_gateways: false,
      enable_reverse_dns: true,
    })
  })

  test('what means the same is stored in one spelling', async () => {
    const { area } = await anArea()
    await area.change({
      allowedOrigins: ' HTTPS://Wall.Example:443/ , http://a:80,https://wall.example',
      discoverySubnet: 'auto, 10.0.0.0/24,10.0.0.0/24 ,',
    })
    expect(area.current()).toMatchObject({
      allowedOrigins: 'https://wall.example,http://a',
      discoverySubnet: '10.0.0.0/24',
    })
    expect(area.origins().allowedOrigins).toEqual(['https://wall.example', 'http://a'])
  })

  test('[facts/platform 12.1] who runs a candidate hears of the next one, until a channel is chosen', async () => {
    const store = memoryStore()
    const { area } = await anArea({ store, channel: 'rc' })
    expect(area.current().updateChannel).toBe('rc')
    await area.change({ updateChannel: 'stable' })
    expect((await anArea({ store, channel: 'rc' })).area.current().updateChannel).toBe('stable')
    expect((await anArea({ channel: 'stable' })).area.current().updateChannel).toBe('stable')
  })

  test('two writers at the same time lose nothing', async () => {
    const store = memoryStore()
    const { area } = await anArea({ store })
    const changes: SystemSettingsInput[] = [
      { theme: 'dark' },
      { logLevel: 'warn' },
      { connectionTimeout: 30 },
      { discoveryConfig: { max_concurrent: 9 } },
      { discoveryConfig: { dial_timeout_ms: 500 } },
    ]
    await Promise.all(changes.map((change) => area.change(change)))
    const wanted = {
      theme: 'dark',
      logLevel: 'warn',
      connectionTimeout: 30,
      discoveryConfig: { max_concurrent: 9, dial_timeout_ms: 500 },
    }
    expect(area.current()).toMatchObject(wanted)
    const { area: again } = await anArea({ store })
    expect(again.current()).toEqual(area.current())
  })

  test('a write that fails leaves everything as it was, and the next one works', async () => {
    const store = memoryStore()
    const { area } = await anArea({ store: { ...store, write: failOnce(store.write) } })
    const heard: SystemSettings[] = []
    area.onChange((now) => void heard.push(now))
    await expect(area.change({ theme: 'dark' })).rejects.toThrow('disk full')
    expect([area.current().theme, heard]).toEqual(['', []])
    expect(await area.change({ theme: 'dark' })).toEqual(['theme'])
  })
})

function failOnce(write: (key: string, text: string) => Promise<void>) {
  let failed = false
  return (key: string, text: string) => {
    if (failed) return write(key, text)
    failed = true
    return Promise.reject(new Error('disk full'))
  }
}

describe('what depends on settings', () => {
  test('hears of every change that makes a difference, until it ends', async () => {
    const { area } = await anArea()
    const heard: string[] = []
    const end = area.onChange((now, before) => void heard.push(`${before.theme}>${now.theme}`))
    await area.change({ theme: 'dark' })
    await area.change({ theme: 'dark' })
    await area.change({ theme: 'light' })
    end()
    await area.change({ theme: '' })
    expect(heard).toEqual(['>dark', 'dark>light'])
  })
})

describe('[spec 2 §6] what the environment fixes', () => {
  test('counts before what is stored, and what is stored counts again without it', async () => {
    const store = memoryStore()
    const { area } = await anArea({ store })
    await area.change({ discoveryEnabled: true, logLevel: 'debug' })
    const { area: locked } = await anArea({ store, env: { DISCOVERY_ENABLED: 'false', LOG_LEVEL: 'error' } })
    expect(locked.current()).toMatchObject({ discoveryEnabled: false, logLevel: 'error' })
    await locked.change({ discoveryEnabled: false, theme: 'dark' })
    const { area: open } = await anArea({ store })
    expect(open.current()).toMatchObject({ discoveryEnabled: true, logLevel: 'debug', theme: 'dark' })
  })

  test('is refused with the name of the variable, and nothing else of the change happens', async () => {
    const { area } = await anArea({ env: { ALLOWED_ORIGINS: 'https://a.example' } })
    const refused = area.change({ theme: 'dark', allowedOrigins: 'https://b.example' })
    await expect(refused).rejects.toMatchObject({
      code: 'locked_by_environment',
      message: 'allowedOrigins is fixed by ALLOWED_ORIGINS. Change it there and restart Pulse.',
    })
    expect(area.current()).toMatchObject({ theme: '', allowedOrigins: 'https://a.example' })
    expect(area.problems({ allowedOrigins: '' })).toEqual([
      { field: 'allowedOrigins', message: expect.stringContaining('ALLOWED_ORIGINS') },
    ])
  })

  test('the port is shown and cannot be changed', async () => {
    const { area } = await anArea()
    await expect(area.change({ frontendPort: 80 })).rejects.toThrow('FRONTEND_PORT')
  })
})

test('the three adaptive intervals stand in order', async () => {
  const { area } = await anArea()
  await expect(area.change({ adaptivePollingBaseInterval: 4 })).rejects.toThrow('must not exceed the base')
  await expect(area.change({ adaptivePollingBaseInterval: 301 })).rejects.toThrow(
    'must not be below the base',
  )
  const three = {
    adaptivePollingBaseInterval: 500,
    adaptivePollingMinInterval: 400,
    adaptivePollingMaxInterval: 600,
  }
  expect(await area.change(three)).toHaveLength(3)
})

describe('what is stored', () => {
  test.each(['', '{', '[]', 'null', '{"surprise":1}', '{"theme":"blue"}', '{"allowedOrigins":"nonsense"}'])(
    '%j is set aside and reported, quoting no value',
    async (text) => {
      const { area, lasting } = await anArea({ store: memoryStore({ system: text }) })
      expect(area.current()).toEqual(area.defaults())
      expect([...lasting.values()]).toEqual([expect.stringContaining('could not be read')])
      expect(JSON.stringify([...lasting])).not.toMatch(/blue|nonsense/)
    },
  )

  test('and contradicts itself: the last of the settings that contradict each other is set aside', async () => {
    const stored = { adaptivePollingMinInterval: 100, adaptivePollingBaseInterval: 90, connectionTimeout: 25 }
    const { area, lasting } = await anArea({ stored })
    expect(area.current()).toMatchObject({ connectionTimeout: 25 })
    expect(area.problems(area.current())).toEqual([])
    expect(lasting.size).toBe(1)
  })

  test('that contradicts the environment stops the start with the name of the variable', async () => {
    const stored = { adaptivePollingBaseInterval: 20 }
    const env = { ADAPTIVE_POLLING_MIN_INTERVAL: '30s' }
    await expect(anArea({ stored, env })).rejects.toThrow(/^ADAPTIVE_POLLING_MIN_INTERVAL cannot be used/)
  })
})

test('[reliability 3] whatever is sent: refused, or in force as it was sent', async () => {
  const { area } = await anArea()
  const names = Object.keys(area.current())
  const value = fc.oneof(fc.anything(), fc.constantFrom(...names.map((n) => area.current()[n as 'theme'])))
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.oneof(fc.constantFrom(...names, '__proto__'), fc.string()), value),
      async (input) => {
        const before = area.current()
        if (area.problems(input).length > 0) {
          expect(area.current()).toBe(before)
          return
        }
        await area.change(input as SystemSettingsInput)
        expect(Object.keys(area.current()).toSorted()).toEqual(names.toSorted())
        expect(area.problems(area.current())).toEqual([])
      },
    ),
    { numRuns: 1000 * scale },
  )
  expect(({} as Record<string, unknown>)['surprise']).toBeUndefined()
})

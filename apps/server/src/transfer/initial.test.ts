import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { runMain } from '../testing/run-main.ts'
import { readInitialImport } from '../start/initial-import.ts'
import { aConnection, aFile, aUser, passphrase } from './fixtures.ts'

const PASSPHRASE = { PULSE_INIT_CONFIG_PASSPHRASE: passphrase }
const namesOf = async (server: TestServer) =>
  ((await server.call('GET', '/api/config/nodes')).body as { name: string }[]).map(({ name }) => name)

describe('[facts/platform 11.2] a first configuration from the environment', () => {
  let dir: string
  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-initial-'))
  })
  afterEach(() => fs.rmSync(dir, { recursive: true }))

  test('is imported once, before the first setup, and closes the first run', async () => {
    const PULSE_INIT_CONFIG_DATA = await aFile({
      connections: [aConnection({ host: 'https://127.0.0.1:1' })],
      users: [aUser()],
    })
    const env = { API_TOKENS: adminToken, PULSE_INIT_CONFIG_DATA, ...PASSPHRASE }
    const server = await startTestServer(undefined, env)
    try {
      expect(await namesOf(server)).toEqual(['alpha'])
      expect(server.server.firstRun).toBeUndefined()
      expect((await server.call('GET', '/api/security/audit?event=config_imported')).text).toContain(
        '"actor":"environment"',
      )
      const [node] = (await server.call('GET', '/api/config/nodes')).body as { id: string }[]
      await server.call('DELETE', `/api/config/nodes/${node!.id}`)
      await server.restart()
      expect(await namesOf(server)).toEqual([])
      expect(server.logLines.join('')).toContain(
        'PULSE_INIT_CONFIG_DATA is not imported: Pulse is already set up',
      )
      expect(server.logLines.join('')).not.toContain('canary')
    } finally {
      await server.stop()
    }
  })

  test('that cannot be imported stops the start and says why', async () => {
    const file = path.join(dir, 'export.json')
    const env = { PULSE_INIT_CONFIG_FILE: file, ...PASSPHRASE }
    const start = () => runMain(path.join(dir, 'data'), { env })
    expect(await start()).toMatchObject({
      code: 1,
      output: expect.stringContaining('export.json cannot be read'),
    })
    fs.writeFileSync(file, await aFile({}, 'another passphrase'))
    expect(await start()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/PULSE_INIT_CONFIG_FILE cannot be imported\. The passphrase is wrong/),
    })
    fs.writeFileSync(file, await aFile({ connections: [aConnection({ host: 'https://127.0.0.1:1' })] }))
    expect(await start()).toMatchObject({ code: 0 })
  })

  test.each([
    [{ PULSE_INIT_CONFIG_URL: 'https://example.com/export.json' }, /does not fetch its configuration/],
    [{ PULSE_INIT_CONFIG_DATA: 'AAAA' }, /configuration is incomplete/],
    [{ ...PASSPHRASE }, /configuration is incomplete/],
    [
      { ...PASSPHRASE, PULSE_INIT_CONFIG_DATA: 'AAAA', PULSE_INIT_CONFIG_FILE: 'a' },
      /configuration is incomplete/,
    ],
  ])('that is incomplete is refused: %o', (env, reason) => {
    expect(() => readInitialImport(env)).toThrow(reason)
  })

  test('is not needed', () => {
    expect(readInitialImport({})).toBeUndefined()
    expect(readInitialImport({ PULSE_INIT_CONFIG_DATA: ' ' })).toBeUndefined()
  })
})

import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDataOf } from '../auth/fixtures.ts'
import { realClock } from '../edges.ts'
import { createLog } from '../log.ts'
import { readConfig } from '../start/config.ts'
import { addUser, login } from '../testing/people.ts'
import { runMain } from '../testing/run-main.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { databaseOfTests, isOnPostgres, urlOf } from '../testing/database-of-tests.ts'
import { runConfigCommand } from './config.ts'

const PULSE_PASSPHRASE = 'canary passphrase of a console'

let server: TestServer
let file: string
beforeAll(async () => {
  server = await startTestServer()
  file = path.join(server.dataDir, 'export.json')
})
afterAll(() => server.stop())

const config = async (args: string[], env: Record<string, string> = { PULSE_PASSPHRASE }) => {
  const { dataDir } = server
  const database = await databaseOfTests(dataDir)
  const place = { PULSE_DATA_DIR: dataDir, ...(database && { PULSE_DATABASE_URL: urlOf(database) }) }
  const read = readConfig({ ...place, ...env }, { dataDir, tty: false })
  return runConfigCommand(args, read, { clock: realClock, log: createLog('silent', false).log })
}

/** The accounts of the database, or the whole file. */
async function lose() {
  if (isOnPostgres) {
    const { db, maintenance } = await openDataOf(server.dataDir)
    await db.query.deleteFrom('users').execute()
    await maintenance.close()
    return
  }
  for (const name of fs.readdirSync(server.dataDir))
    if (name.startsWith('pulse.db')) fs.rmSync(path.join(server.dataDir, name))
}

test('config export saves everything to a file, and config import brings it back', async () => {
  await addUser(server, 'anna', 'admin')
  await server.pausedFor(async () => {
    const args = ['config', 'export', 'export.json']
    const env = { PULSE_PASSPHRASE, INIT_CWD: server.dataDir }
    expect(await runMain(server.dataDir, { args, env })).toEqual({
      code: 0,
      output: `Exported to ${file}.\n`,
    })
  })
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  await addUser(server, 'ben', 'admin')
  await server.pausedFor(async () => {
    await lose()
    const added = '1 account.\n  administrator added: "anna"\n- Accounts added: "anna".'
    expect(await config(['check', file])).toBe(`Would be imported: ${added}`)
    expect(await config(['import', file])).toBe(`Imported: ${added}`)
  })
  expect((await login(server, 'anna')).status).toBe(200)
  expect((await login(server, 'ben')).status).toBe(401)
  const { text } = await server.call('GET', '/api/security/audit?event=config_imported')
  expect(text).toContain('"method":"console"')
})

test('config refuses invalid commands with a message', async () => {
  const wrong = path.join(server.dataDir, 'wrong.json')
  fs.writeFileSync(wrong, 'AAAA')
  await expect(config(['export', `${file}.2`])).rejects.toThrow(/in use by another Pulse/)
  await expect(config(['export', file], {})).rejects.toThrow(/PULSE_PASSPHRASE is not set/)
  await expect(config(['export', file], { PULSE_PASSPHRASE: 'short' })).rejects.toThrow(/too short/)
  await expect(config(['restore', file])).rejects.toThrow(/config export <file>/)
  await expect(config(['export'])).rejects.toThrow(/config export <file>/)
  await server.pausedFor(async () => {
    await expect(config(['import', `${file}.3`])).rejects.toThrow(/cannot be read/)
    await expect(config(['export', wrong])).rejects.toThrow(/exists already/)
    await expect(config(['import', wrong])).rejects.toThrow(/not an export of Pulse[^]*Nothing was changed/)
    await expect(config(['import', file], { PULSE_PASSPHRASE: 'another passphrase' })).rejects.toThrow(
      /passphrase is wrong/,
    )
    fs.truncateSync(wrong, 11_000_000)
    await expect(config(['check', wrong])).rejects.toThrow(/too large/)
  })
})

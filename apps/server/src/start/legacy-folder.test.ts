import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'

let dir: string
beforeEach(() => void (dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-legacy-'))))
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }))

/** Names, modes, times and contents of all files in the folder. */
const stateOf = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const { mode, mtimeMs } = fs.statSync(file)
    return `${file} ${mode.toString(8)} ${mtimeMs} ${entry.isFile() ? fs.readFileSync(file, 'hex') : ''}`
  })

/** Creates the data folder of Pulse 4.25. */
function layDownLegacyFolder() {
  fs.chmodSync(dir, 0o755)
  fs.mkdirSync(path.join(dir, 'alerts'))
  for (const [name, text] of Object.entries({
    '.encryption.key': Buffer.alloc(32, 7).toString('base64'),
    '.env': 'PULSE_AUTH_USER=admin\nPULSE_AUTH_PASS=$2a$12$abcdefghijklmnopqrstuv\n',
    'nodes.enc': 'sealed',
    'system.json': '{"pollingInterval":10}',
    'alerts/active-alerts.json': '[]',
  })) {
    fs.writeFileSync(path.join(dir, name), text, { mode: 0o644 })
  }
}

test('[facts/platform 8] a data folder of Pulse 4.x is recognized and left as it is', async () => {
  layDownLegacyFolder()
  const before = stateOf(dir)
  for (const args of [[], ['reset-password', '--create', 'rescue'], ['config', 'check', 'x.json']]) {
    const { code, output } = await runMain(dir, { args, env: { PULSE_PASSPHRASE: 'correct horse battery' } })
    expect(code).toBe(1)
    expect(output).toMatch(/data folder .* belongs to Pulse 4\.x \(nodes\.enc, system\.json\)/)
    expect(output).toMatch(/PULSE_DATA_DIR/)
    expect(output).toMatch(/config import/)
    expect(output).not.toContain('pulse.db')
  }
  expect(stateOf(dir)).toEqual(before)
})

test('[facts/platform 8] of a folder that was never set up beyond its first account, .env and key are enough', async () => {
  layDownLegacyFolder()
  for (const name of ['nodes.enc', 'system.json', 'alerts'])
    fs.rmSync(path.join(dir, name), { recursive: true })
  const before = stateOf(dir)
  const { code, output } = await runMain(dir)
  expect(code).toBe(1)
  expect(output).toMatch(/belongs to Pulse 4\.x \(\.env, \.encryption\.key\)/)
  expect(stateOf(dir)).toEqual(before)
})

test('[facts/platform 8] it is recognized before its variables are judged, which 4.x reads in its own way', async () => {
  layDownLegacyFolder()
  fs.writeFileSync(path.join(dir, '.env'), "PULSE_AUTH_USER='admin'\n")
  const { output } = await runMain(dir)
  expect(output).toMatch(/belongs to Pulse 4\.x/)
})

test('a key and an .env of this Pulse that lie in a folder by themselves are no sign of 4.x', async () => {
  const key = `${Buffer.alloc(32, 7).toString('base64')}\n`
  fs.writeFileSync(path.join(dir, '.encryption.key'), key, { mode: 0o600 })
  fs.writeFileSync(path.join(dir, '.env'), 'LOG_LEVEL=info\n', { mode: 0o600 })
  const { output } = await runMain(dir)
  expect(output).not.toContain('belongs to Pulse 4.x')
})

test('a folder that this Pulse already uses is its own, whatever else lies in it', async () => {
  await runMain(dir)
  layDownLegacyFolder()
  fs.rmSync(path.join(dir, '.encryption.key'))
  fs.rmSync(path.join(dir, '.env'))
  const { output } = await runMain(dir)
  expect(output).not.toContain('belongs to Pulse 4.x')
})

import { NodeInput } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readClusterConfig } from './cluster-config.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-login-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => {
  fs.writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}
const read = (more: NodeJS.ProcessEnv) =>
  readClusterConfig({ PULSE_NATS_URL: 'nats://a', PULSE_DATABASE_URL: 'postgres://b/c', ...more })

test('[N 2] NATS is signed in to with a name and the password in a file', () => {
  const env = { PULSE_NATS_USER: 'pulse', PULSE_NATS_PASSWORD_FILE: file('password', 'secret\n') }
  expect(read(env)?.nats).toMatchObject({ servers: ['a:4222'], login: { user: 'pulse', password: 'secret' } })
  expect(read({})?.nats.login).toBeUndefined()
})

test('[N 2] an optional file that is named, but empty, counts as none', () => {
  const none = file('none', '\n')
  const empty = { PULSE_NATS_CREDENTIALS_FILE: none, PULSE_NATS_CA_FILE: none }
  expect(read({ ...empty, PULSE_NATS_PASSWORD_FILE: none })).toEqual(read({}))
  const login = { PULSE_NATS_USER: 'pulse', PULSE_NATS_PASSWORD_FILE: file('login', 'secret') }
  expect(read({ ...empty, ...login })).toEqual(read(login))
})

test.each([
  [{ PULSE_NATS_USER: 'pulse' }, 'PULSE_NATS_PASSWORD_FILE is not'],
  [{ PULSE_NATS_USER: 'pulse', PULSE_NATS_PASSWORD_FILE: file('empty', ' ') }, 'the file is empty'],
  [{ PULSE_NATS_PASSWORD_FILE: file('alone', 'secret') }, 'PULSE_NATS_USER is not'],
  [
    {
      PULSE_NATS_USER: 'pulse',
      PULSE_NATS_PASSWORD_FILE: file('both', 'secret'),
      PULSE_NATS_CREDENTIALS_FILE: file('credentials', 'x'),
    },
    'both set',
  ],
  [{ PULSE_NATS_URL: 'nats://pulse:secret@a' }, 'not a list of NATS servers'],
] as const)('[N 2] what is half of a sign-in, or two, is refused: %o', (env, text) => {
  expect(() => read(env)).toThrow(text)
})

test.each([
  ['Berlin', undefined],
  ['東'.repeat(33), undefined],
  ['東'.repeat(34), 'A site has at most 100 bytes: 100 English letters, or 33 Chinese characters.'],
  ['a\u202eb', 'The site must be plain text without control characters.'],
])('[N 4] the site %j is accepted or refused as that of a connection', (site, hint) => {
  if (hint === undefined) expect(read({ PULSE_SITE: site })?.site).toBe(site)
  else expect(() => read({ PULSE_SITE: site })).toThrow(`PULSE_SITE is not the name of a site.\n${hint}`)
  const connection = NodeInput.safeParse({ type: 'pve', site })
  expect(connection.error?.issues[0]?.message).toBe(hint)
})

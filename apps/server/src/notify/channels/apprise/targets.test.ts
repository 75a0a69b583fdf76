import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../../edges.ts'
import type { Resolve } from '../../../outbound/lookup.ts'
import { aNotice, apprise, never, reasonOf, sendersFor, sendersWith } from '../fixtures.ts'
import { aProgramFolder } from './fixtures-program.ts'

const { at, keepsArguments } = aProgramFolder()

test.each([
  ['json://169.254.169.254/', false],
  ['json://127.0.0.2/x', false],
  ['json://user:pass@127.0.0.2:8000/x', false],
  ['json://2130706434/', false],
  ['jsons://[::1]/', false],
  ['json://localhost:9/', false],
  ['json://127.0.0.1/x', true],
  ['json://10.0.0.5/x', true],
  ['tgram://123456789:AbCdEf/-100123', true],
  ['mailto://me:secret@example.org', true],
  ['discord://1234/token', true],
  ['discord://127.0.0.2/token', false],
])('[S11] target %s may be called: %s', (target, may) => {
  const { apprise: sender } = sendersFor({ env: { PULSE_APPRISE_PATH: '/bin/true' } })
  expect(!('targets' in sender.problems(apprise({ targets: [target] })))).toBe(may)
})

describe('[S11] parameters of a target', () => {
  const problemOf = (target: string) =>
    sendersFor().apprise.problems(apprise({ mode: 'cli', targets: [target] }))['targets']

  test.each([
    ['mailto://me:secret@mail.lan?smtp=127.0.0.1', 'smtp'],
    ['slack://a/b/c?template=/etc/passwd', 'template'],
    ['discord://1/2?format=text&TEMPLATE=http://10.0.0.1/x', 'TEMPLATE'],
    ['fcm://project@key/?keyfile=/etc/shadow', 'keyfile'],
    ['ntfy://topic?attach=file:///etc/passwd', 'attach'],
    ['discord://1/2?+template=/etc/passwd', '+template'],
  ])('%s is refused: it names files or servers that no guard sees', (target, name) => {
    expect(problemOf(target)).toContain(`cannot have the parameter ${name}:`)
  })

  test.each([
    'discord://1/2?format=markdown&overflow=split&footer=no',
    'mailto://me:secret@mail.lan?to=ops@mail.lan&name=Pulse',
    'jsons://hook.lan/path?+X-Token=abc&:team=ops',
    'tgram://123456:abc/-100',
  ])('%s is taken', (target) => expect(problemOf(target)).toBeUndefined())
})

describe('[S11] the name of a host in a target', () => {
  const names: Record<string, string[]> = {
    'inside.example': ['127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'both.example': ['192.0.2.10', '127.0.0.1'],
    'gotify.lan': ['10.0.0.7'],
  }
  const resolve: Resolve = (host, _options, done) => {
    const found = (names[host] ?? []).map((address) => ({ address, family: 4 }))
    done(found.length > 0 ? null : new Error(`ENOTFOUND ${host}`), found)
  }
  const sendTo = (target: string, allowed: readonly string[] = []) => {
    const env = { PULSE_APPRISE_PATH: keepsArguments() }
    return sendersWith({ clock: realClock, allowed, env, resolve }).apprise.send(
      apprise({ targets: [target] }),
      aNotice(),
      never,
    )
  }

  test.each(['inside.example', 'metadata.example', 'both.example'])(
    '%s leads where the guard lets nothing go: the program is not run',
    async (host) => {
      const outcome = await sendTo(`json://${host}:8080/hook`)
      expect(outcome).toMatchObject({ delivered: false, retry: 'never' })
      expect(reasonOf(outcome)).toMatch(/^A target of json:\/\/ cannot be called: /)
      expect(fs.existsSync(at('args'))).toBe(false)
    },
  )

  test.each([
    ['json://gotify.lan/hook', []],
    ['json://inside.example:8080/hook', ['inside.example:8080']],
    ['discord://1234/token', []],
    ['mailto://me:secret@unknown.example', []],
  ])('%s is called', async (target, allowed) =>
    expect(await sendTo(target, allowed)).toMatchObject({ delivered: true }),
  )
})

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readClusterConfig } from '../apps/server/src/start/cluster-config.ts'
import { readPostgresConfig } from '../apps/server/src/start/postgres-config.ts'
import { readRemoteConfig } from '../apps/server/src/start/remote-config.ts'
import { readSamplesConfig } from '../apps/server/src/start/samples-config.ts'
import { root } from './pinned-node.mjs'
import { deployText as read, variablesInSources } from './source-texts.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-compose-files-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

interface Service {
  environment: Record<string, string>
  secrets: string[]
  volumes?: string[]
  ports?: string[]
  deploy?: { replicas: number }
}
interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, null>
}

/** Fills in `${NAME-otherwise}`, `${NAME:-otherwise}` and `${NAME:?}` as Compose does. */
const filled = (texts: Record<string, string>, given: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{(\w+)(:?)[-?]([^}]*)\}/g, (_, of: string, orEmpty: string, otherwise: string) => {
        const value = given[of]
        return value === undefined || (orEmpty && value === '') ? otherwise : value
      }),
    ]),
  )
const engines = {
  PULSE_DATABASE_URL: 'postgres://pulse@db/pulse',
  PULSE_NATS_URL: 'tls://a:4222,tls://b:4222',
}
/** The variables of the file's comment, whose indented lines are a .env file. */
const optional = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^# {3}(PULSE_\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )

describe('deploy/compose.cluster.yml', () => {
  const { services, secrets, volumes } = parse(read('compose.cluster.yml'), { merge: true }) as Compose
  const all = Object.values(services)

  test('starts three that collect, two that judge and two that serve', () => {
    const count = (role: string) =>
      all
        .filter(({ environment }) => environment['PULSE_ROLES'] === role)
        .reduce((sum, service) => sum + (service.deploy?.replicas ?? 1), 0)
    expect([count('collect'), count('judge'), count('serve')]).toEqual([3, 2, 2])
    expect(all).toHaveLength(5)
  })

  test('its variables exist, and Pulse accepts them', () => {
    const { settings } = variablesInSources()
    const file = path.join(dir, 'file')
    fs.writeFileSync(file, 'x')
    const here = (env: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, value.startsWith('/run/secrets/') ? file : value]),
      )
    for (const { environment } of all) {
      expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([])
      const env = here(filled(environment, engines))
      expect(readClusterConfig(env)).toMatchObject({
        roles: [environment['PULSE_ROLES']],
        site: 'main',
        nats: { credentials: 'x', ca: 'x' },
      })
      expect(readPostgresConfig(env)).toMatchObject({ password: 'x', ssl: { ca: 'x' } })
      expect(readSamplesConfig(env)).toBeUndefined()
    }
  })

  test('its comment leads to a user of NATS, and to one store of samples', () => {
    const file = path.join(dir, 'file')
    fs.writeFileSync(file, 'x')
    const given = optional(read('compose.cluster.yml'))
    for (const { environment } of all) {
      const env = Object.entries(filled(environment, given)).map(([name, value]) => [
        name,
        value.startsWith('/run/secrets/') ? file : value,
      ])
      const own = Object.fromEntries(env) as Record<string, string>
      const { nats: settings } = readClusterConfig(own)!
      expect(settings).toMatchObject({ login: { user: 'pulse', password: 'x' }, ca: 'x' })
      expect(settings.credentials).toBeUndefined()
      expect(readSamplesConfig(own)).toMatchObject({
        authorization: expect.stringContaining('Basic'),
        ca: 'x',
      })
    }
  })

  test('files that are not needed may be empty', () => {
    const [full, empty] = ['full', 'empty'].map((name) => path.join(dir, name)) as [string, string]
    fs.writeFileSync(full, 'x')
    fs.writeFileSync(empty, '')
    const here = (env: Record<string, string>, needed: readonly string[]) =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const secret = /^\/run\/secrets\/(.+)$/.exec(value)?.[1]
          return [name, secret === undefined ? value : needed.includes(secret) ? full : empty]
        }),
      )
    const ofUser = {
      ...engines,
      PULSE_NATS_USER: 'pulse',
      PULSE_NATS_PASSWORD_FILE: '/run/secrets/nats-password',
    }
    for (const { environment } of all) {
      const withCredentials = here(filled(environment, engines), ['nats.creds'])
      expect(readPostgresConfig(withCredentials)).toEqual(readPostgresConfig(engines))
      expect(readClusterConfig(withCredentials)?.nats).toEqual({
        servers: ['a:4222', 'b:4222'],
        isEncrypted: true,
        credentials: 'x',
      })
      const withUser = readClusterConfig(here(filled(environment, ofUser), ['nats-password']))!.nats
      expect(withUser.login).toEqual({ user: 'pulse', password: 'x' })
      expect(withUser.credentials).toBeUndefined()
    }
  })

  test('every file that a process reads is a secret; no two processes share a volume', () => {
    const withAll = optional(read('compose.cluster.yml'))
    for (const { environment, secrets: given } of all) {
      const files = [engines, withAll]
        .flatMap((variables) => Object.values(filled(environment, variables)))
        .flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [])
      expect([...new Set(files)].toSorted()).toEqual(given.toSorted())
      expect(given.filter((name) => !(name in secrets))).toEqual([])
    }
    const used = all.flatMap(({ volumes: own = [] }) => own.map((one) => one.split(':')[0]!))
    expect(used.toSorted()).toEqual(Object.keys(volumes).toSorted())
    expect(new Set(used).size).toBe(used.length)
  })

  test('only processes that serve have ports, and those that judge keep their history', () => {
    for (const { environment, ports, volumes: own } of all) {
      expect(ports !== undefined).toBe(environment['PULSE_ROLES'] === 'serve')
      expect(own !== undefined).toBe(environment['PULSE_ROLES'] === 'judge')
    }
  })
})

describe('deploy/collector', () => {
  test('Pulse accepts the variables of compose.yaml, and every file is a secret', () => {
    const { services, secrets } = parse(read('collector/compose.yaml')) as Compose
    const { environment, secrets: given } = services['collector']!
    expect(Object.keys(secrets)).toEqual(given)
    const file = path.join(dir, 'file')
    fs.writeFileSync(file, Buffer.alloc(32).toString('base64'), { mode: 0o600 })
    const env = Object.entries(environment).map(([name, value]) => [
      name,
      name.endsWith('_FILE') ? file : value,
    ])
    const own = { ...Object.fromEntries(env), PULSE_SITE: 'Berlin', PULSE_NATS_URL: 'tls://nats:4222' }
    expect(readRemoteConfig(own, { tty: false })).toMatchObject({ site: 'Berlin' })
  })
})

const compose = '/usr/bin/docker-compose'
const hasCompose = fs.existsSync(compose)
if (!hasCompose) console.log('skipped: no docker-compose')

test
  .skipIf(!hasCompose)
  .each([
    'compose.cluster.yml',
    'collector/compose.yaml',
    'docker/compose.yaml',
    'docker-agent/compose.yaml',
  ])('docker-compose accepts deploy/%s', (name) => {
  const env = {
    PATH: process.env['PATH'],
    ...engines,
    PULSE_PUBLIC_URL: 'https://pulse.example.com',
    PULSE_SITE: 'Berlin',
  }
  const given = { ...env, PULSE_URL: 'https://pulse.example.com', PULSE_TOKEN: 'x', DOCKER_GID: '1' }
  const words = ['-f', path.join(root, 'deploy', name), 'config', '-q']
  const { status, stderr } = spawnSync(compose, words, { encoding: 'utf8', env: given })
  expect([status, stderr]).toEqual([0, ''])
})

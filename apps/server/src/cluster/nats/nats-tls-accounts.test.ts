import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { readClusterConfig } from '../../start/cluster-config.ts'
import { readRemoteConfig } from '../../start/remote-config.ts'
import { type Authority, hasOpenssl, makeAuthority } from '../../testing/certificates.ts'
import { urlOf } from '../../testing/database-of-tests.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts'
import { runMain } from '../../testing/run-main.ts'
import { collectorFile, type SecuredNats, startSecuredNats } from '../../testing/secured-nats.ts'
import { makeForSites, workAsCollector } from '../../testing/site-work.ts'
import { type Bus, openBus } from './bus.ts'
import type { NatsSettings } from './nats-settings.ts'
import { newCredentials } from '../sites/site-credentials.ts'
import { leaseBucketOf, siteSubjects, streamName, token } from './subjects.ts'

const found = hasNats() && hasPostgres() && hasOpenssl()
if (!found) console.log('skipped: no NATS, no PostgreSQL or no openssl')

const limit = { timeout: within(60_000) }
const replicas = 3

describe.skipIf(!found)(
  '[N 4] three NATS servers with TLS and the accounts that the documents describe',
  () => {
    let folder: string
    let authority: Authority
    let postgres: PostgresServer
    let nats: SecuredNats
    const own = newCredentials()
    const ends: (() => Promise<unknown> | void)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end()
    })

    const file = (name: string, text: string) => {
      const at = path.join(folder, name)
      fs.writeFileSync(at, text, { mode: 0o600 })
      return at
    }

    /** The users file of deploy/collector with the key of these processes and the accounts of these sites. */
    const usersFor = (...sites: string[]) =>
      collectorFile('nats-users.conf')
        .replace(/nkey: \w+/, `nkey: ${own.publicKey}`)
        .replace(
          'include "site-berlin.conf"',
          sites.map((site) => `include "site-${site}.conf"`).join('\n  '),
        )

    let databaseUrl: string
    /** The command of the documents. The account of the site becomes `site-….conf`, as they say. */
    async function makeSite(site: string, ...more: string[]) {
      const to = path.join(folder, site.toLowerCase())
      fs.rmSync(to, { recursive: true, force: true })
      const { code, output } = await runMain(path.join(folder, 'command'), {
        args: ['site-key', site, '--to', to, ...more],
        env: { PULSE_DATABASE_URL: databaseUrl, PULSE_ENCRYPTION_KEY_FILE: path.join(folder, 'key') },
      })
      expect([code, output]).toEqual([0, expect.stringContaining('has a new key')])
      fs.copyFileSync(
        path.join(to, 'nats-account.conf'),
        path.join(folder, `site-${site.toLowerCase()}.conf`),
      )
    }

    /** The server (2.9.10) gives a new account what other accounts share only when it reads its configuration again. */
    async function loadTwice(name: string, text: string) {
      await nats.reload(name, text)
      await nats.reload(name, text)
    }

    const centre = (variables: Record<string, string> = {}): NatsSettings =>
      readClusterConfig({
        PULSE_DATABASE_URL: 'postgres://pulse@db/pulse',
        PULSE_NATS_URL: nats.urls.join(),
        PULSE_NATS_CREDENTIALS_FILE: file('nats.creds', own.text),
        PULSE_NATS_CA_FILE: authority.file,
        ...variables,
      })!.nats
    const remote = (site: string, variables: Record<string, string> = {}) =>
      readRemoteConfig(
        {
          PULSE_ROLES: 'collect',
          PULSE_SITE: site,
          PULSE_SITE_KEY_FILE: path.join(folder, site.toLowerCase(), 'site.key'),
          PULSE_NATS_URL: nats.urls.join(),
          PULSE_NATS_CREDENTIALS_FILE: path.join(folder, site.toLowerCase(), 'nats.creds'),
          PULSE_NATS_CA_FILE: authority.file,
          ...variables,
        },
        { tty: false },
      )

    async function open(settings: NatsSettings): Promise<Bus> {
      const bus = await openBus(settings, {
        name: 'test',
        clock: realClock,
        onLost: () => {},
        onBack: () => {},
      })
      ends.push(bus.close)
      return bus
    }
    const openCollector = (site: string, variables?: Record<string, string>) =>
      open(remote(site, variables).nats)

    const prepare = (bus: Bus, ...sites: string[]) => makeForSites(bus, replicas, sites)
    const collect = (bus: Bus, home: Bus, site: string, source: string) =>
      workAsCollector({ bus, home, site, source, key: remote(site).key })

    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-secured-nats-'))
      authority = makeAuthority(folder, 'ca')
      postgres = await startPostgres()
      databaseUrl = urlOf(await postgres.database())
      await makeSite('Berlin')
      nats = await startSecuredNats(folder, authority, {
        'nats-users.conf': usersFor('berlin'),
        'nats-exports.conf': collectorFile('nats-exports.conf'),
      })
    })
    afterAll(async () => {
      await Promise.all([postgres?.remove(), ...(nats?.servers ?? []).map((one) => one.remove())])
      fs.rmSync(folder, { recursive: true, force: true })
    })

    test('serve the processes with a database, which make three copies, and the collectors of a site', async () => {
      const home = await open(centre())
      await prepare(home, 'Berlin')
      for (const stream of [streamName, `KV_${leaseBucketOf('Berlin')}`]) {
        const { config, cluster } = await home.manager.streams.info(stream)
        expect([config.num_replicas, cluster?.replicas?.length]).toEqual([replicas, 2])
      }
      await collect(await openCollector('Berlin'), home, 'Berlin', 'any')
    })

    test('serve a collector at each of them, whichever of them has the stream', async () => {
      const home = await open(centre())
      await prepare(home, 'Berlin')
      for (const [n, url] of nats.urls.entries()) {
        const collector = await openCollector('Berlin', { PULSE_NATS_URL: url })
        expect(`tls://${collector.nats.getServer()}`).toBe(url)
        await collect(collector, home, 'Berlin', `at-${n}`)
      }
    })

    test('a client that has no credentials, or others, sees nothing', async () => {
      const foreign = file('foreign.creds', newCredentials().text)
      for (const settings of [
        centre({ PULSE_NATS_CREDENTIALS_FILE: '' }),
        centre({ PULSE_NATS_CREDENTIALS_FILE: foreign }),
        centre({
          PULSE_NATS_CREDENTIALS_FILE: '',
          PULSE_NATS_USER: 'pulse',
          PULSE_NATS_PASSWORD_FILE: file('password', 'guessed'),
        }),
        remote('Berlin', { PULSE_NATS_CREDENTIALS_FILE: '' }).nats,
        remote('Berlin', { PULSE_NATS_CREDENTIALS_FILE: foreign }).nats,
      ])
        await expect(open(settings)).rejects.toThrow(/authorization[^]*PULSE_NATS_CREDENTIALS_FILE/i)
    })

    test('another authority is refused, by an error that names the variable', async () => {
      const other = makeAuthority(folder, 'other').file
      for (const variables of [{ PULSE_NATS_CA_FILE: other }, { PULSE_NATS_CA_FILE: '' }])
        for (const settings of [centre(variables), remote('Berlin', variables).nats])
          await expect(open(settings)).rejects.toThrow(/certificate[^]*PULSE_NATS_CA_FILE/)
    })

    test('a password is not sent to a server with the certificate of another authority, or none', async () => {
      const plain = nats.urls.join().replaceAll('tls:', 'nats:')
      await expect(open(centre({ PULSE_NATS_URL: plain, PULSE_NATS_CA_FILE: '' }))).rejects.toThrow(
        /certificate/,
      )
    })

    test('the account of another site is added while the collectors of the first one go on', async () => {
      const home = await open(centre())
      await prepare(home, 'Berlin', 'Rome')
      let lost = 0
      const berlin = await openBus(remote('Berlin').nats, {
        name: 'test',
        clock: realClock,
        onLost: () => lost++,
        onBack: () => {},
      })
      ends.push(berlin.close)
      await makeSite('Rome')
      await loadTwice('nats-users.conf', usersFor('berlin', 'rome'))
      const rome = await openCollector('Rome')
      await collect(rome, home, 'Rome', 'of-rome')
      await collect(berlin, home, 'Berlin', 'of-berlin')
      expect(lost).toBe(0)

      const heard: string[] = []
      const all = rome.nats.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) })
      await rome.nats.flush()
      // the other servers get the subscription a while later
      const heardAgain = () => {
        for (const site of ['Berlin', 'Rome']) home.nats.publish(siteSubjects(site).changed)
        return [...new Set(heard)]
      }
      await expect.poll(heardAgain, limit).toEqual([siteSubjects('Rome').changed])
      all.unsubscribe()
      const lease = `$KV.${leaseBucketOf('Berlin')}.${token('Berlin')}.s`
      await expect(rome.jetstream.publish(lease, 'stolen')).rejects.toThrow(/not enabled|responders/)
      await expect(rome.manager.streams.info(`KV_${leaseBucketOf('Berlin')}`)).rejects.toThrow()
    })

    test('a site that is removed, or has another key, is not let in any more', async () => {
      const home = await open(centre())
      await prepare(home, 'Berlin')
      const berlin = await openCollector('Berlin')
      const former = remote('Berlin').nats
      await makeSite('Berlin', '--new')
      await loadTwice('nats-users.conf', usersFor('berlin'))
      await expect.poll(() => berlin.isUp, limit).toBe(false)
      await expect(open(former)).rejects.toThrow(/authorization/i)
      await collect(await openCollector('Berlin'), home, 'Berlin', 'new-key')
    })

    test('a process that started while one of them was lost goes to it when the others are', async () => {
      const [first, ...others] = nats.servers
      await first!.halt()
      // the others choose who leads them
      await expect
        .poll(() => open(centre()).catch((error: Error) => error.message), limit)
        .toBeTypeOf('object')
      const home = await open(centre())
      await first!.rise()
      for (const other of others) await other.halt()
      await expect.poll(() => home.isUp && `tls://${home.nats.getServer()}`, limit).toBe(nats.urls[0])
      for (const other of others) await other.rise()
    })

    test('a collector goes to those only that its variable names', async () => {
      const collector = await openCollector('Berlin', { PULSE_NATS_URL: nats.urls[1]! })
      // the servers may know one another a while later
      await expect.poll(() => collector.nats.info?.connect_urls?.length, limit).toBe(nats.urls.length)
      expect(collector.nats.getServers().map(({ listen }) => `tls://${listen}`)).toEqual([nats.urls[1]])
    })
  },
)

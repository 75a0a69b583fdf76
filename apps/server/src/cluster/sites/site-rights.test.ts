import { mainSite } from '@pulse/contract'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { createVault } from '../../seal.ts'
import { hasNats, type NatsServer } from '../../testing/nats-server.ts'
import { startSiteNats } from '../../testing/site-nats.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { createFrameSender } from '../frames/frame-sender.ts'
import { demandFrameStream } from '../frames/frame-stream.ts'
import { makeLeaseBucket, openLeases } from '../leases/leases.ts'
import { siteApiPrefix } from '../nats/nats-settings.ts'
import { makePresenceBucket, openPresence } from '../presence.ts'
import { aCard } from '../../testing/site-work.ts'
import { newCredentials } from './site-credentials.ts'
import { answerSealed, askSealed, NoAnswer } from './sealed-questions.ts'
import {
  allSiteAsks,
  framesOf,
  leaderCalls,
  leaseBucket,
  leaseBucketOf,
  presenceBucketOf,
  resendOf,
  siteIn,
  siteSubjects,
  streamName,
  token,
} from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }
const onFault = (error: unknown) => {
  throw error
}
describe.skipIf(!found)('[N 4] the account of a site in NATS', () => {
  const users = { a: newCredentials(), b: newCredentials() }
  const keys = { a: createVault(randomBytes(32)), b: createVault(randomBytes(32)) }
  let server: NatsServer
  let home: Bus
  let a: Bus
  let b: Bus
  const open = (site?: 'a' | 'b') =>
    openBus(
      {
        servers: [`127.0.0.1:${server.port}`],
        isEncrypted: false,
        ...(site && { credentials: users[site].text, apiPrefix: siteApiPrefix }),
      },
      { name: site ?? 'home', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
  const kept = async (subject: string) =>
    home.manager.streams
      .getMessage(streamName, { last_by_subj: subject })
      .then((message) => message?.string())
      .catch(() => undefined)
  /** Everything that was sent before has arrived. */
  const settle = async () => {
    for (const bus of [a, b, home, a, home]) await bus.nats.flush()
  }

  beforeAll(async () => {
    server = await startSiteNats(users)
    home = await open()
    await demandFrameStream(home)
    for (const site of [mainSite, 'a', 'b']) {
      await makeLeaseBucket(home, leaseBucketOf(site), 1)
      await makePresenceBucket(home, presenceBucketOf(site), 1)
    }
    a = await open('a')
    b = await open('b')
  })
  afterAll(async () => {
    for (const bus of [a, b, home]) await bus?.close()
    await server?.remove()
  })

  test('lets its collectors claim sources, be seen, send frames and ask', async () => {
    const leases = await openLeases({
      bus: a,
      holder: 'x',
      site: 'a',
      clock: realClock,
      mayMake: false,
      onFault,
    })
    const lease = await leases.claim({ site: 'a', source: 's' }, () => {})
    expect([...(await leases.holders('a'))]).toEqual([['s', 'x']])
    await lease!.release()
    const again = await leases.claim({ site: 'a', source: 's' }, () => {})
    expect(again!.fence > lease!.fence).toBe(true)

    const presence = await openPresence({
      bus: a,
      own: () => aCard('x', 'a'),
      clock: realClock,
      mayMake: false,
      onFault,
    })
    expect(await presence.list()).toMatchObject([{ id: 'x', site: 'a' }])
    const own = await openPresence({ bus: home, own: () => aCard('h', mainSite), clock: realClock, onFault })
    expect((await own.list()).map(({ id }) => id)).toEqual(['h', 'x'])

    const sender = createFrameSender({
      bus: a,
      site: 'a',
      source: 's',
      fence: again!.fence,
      clock: realClock,
      onFault,
    })
    sender.offer({ records: { guests: new Map() } })
    await expect.poll(() => kept(framesOf('a', 's')), limit).toEqual(expect.any(String))
    home.nats.publish(resendOf('a', 's'))
    const count = async () =>
      (await home.manager.streams.info(streamName, { subjects_filter: '>' })).state.subjects![
        framesOf('a', 's')
      ]
    await expect.poll(count, limit).toBe(2)
    sender.stop()

    const end = answerSealed({
      bus: home,
      subject: allSiteAsks,
      lineOf: (subject) => siteSubjects(siteIn(subject)),
      vaultOf: async (subject) => keys[siteIn(subject) as 'a' | 'b'],
      answer: async (question, subject) => ({ question, of: siteIn(subject) }),
      onRefused: () => {},
    })
    await home.nats.flush()
    const ask = (bus: Bus, site: 'a' | 'b', key: 'a' | 'b', limitMs: number) =>
      askSealed({ bus, clock: realClock }, siteSubjects(site), keys[key], 'q', limitMs)
    expect(await ask(a, 'a', 'a', 10_000)).toEqual({ question: 'q', of: 'a' })
    // from another account, nothing arrives on the subject of a site
    await expect(ask(a, 'b', 'a', 500)).rejects.toThrow(NoAnswer)
    await expect(ask(a, 'b', 'b', 500)).rejects.toThrow(NoAnswer)
    end()
    await again!.release()
    await presence.leave()
    await own.leave()
  })

  test('lets no collector hear what is said to another site, or among processes with a database', async () => {
    const heard: string[] = []
    const all = a.nats.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) })
    await a.nats.flush()
    const { answers, tasks, changed } = siteSubjects('b')
    const others = [
      `${answers}.x`,
      tasks,
      changed,
      resendOf('b', 's'),
      framesOf('b', 's'),
      leaderCalls,
      'pulse.1.rows',
      'pulse.1.events',
      `$KV.${leaseBucketOf('b')}.${token('b')}.s`,
    ]
    for (const subject of others) home.nats.publish(subject, 'secret')
    home.nats.publish(siteSubjects('a').changed)
    await expect.poll(() => heard, limit).toEqual([siteSubjects('a').changed])
    await settle()
    expect(heard).toEqual([siteSubjects('a').changed])
    all.unsubscribe()
  })

  test('lets no collector read or write leases, cards and frames of another site, or the lead', async () => {
    const places = [
      framesOf('b', 's'),
      framesOf(undefined, 'alerts'),
      `$KV.${leaseBucketOf('b')}.${token('b')}.s`,
      `$KV.${leaseBucket}.leader`,
      `$KV.${presenceBucketOf('b')}.${token('b')}.x`,
      `$KV.${presenceBucketOf(mainSite)}.${token(mainSite)}.x`,
    ]
    for (const subject of places)
      for (const prefix of ['', `${siteApiPrefix}.`])
        await expect(a.jetstream.publish(prefix + subject, 'stolen')).rejects.toThrow(
          /not enabled|responders/,
        )
    const streams = [leaseBucketOf('b'), leaseBucket, presenceBucketOf('b'), presenceBucketOf(mainSite)]
    for (const stream of [...streams.map((one) => `KV_${one}`), streamName]) {
      await expect(a.manager.streams.info(stream)).rejects.toThrow()
      await expect(a.manager.streams.getMessage(stream, { seq: 1 })).rejects.toThrow()
      await expect(a.manager.streams.purge(stream)).rejects.toThrow()
      await expect(a.manager.streams.delete(stream)).rejects.toThrow()
      await expect(a.manager.consumers.add(stream, {})).rejects.toThrow()
    }
    await expect(a.manager.streams.names().next()).rejects.toThrow()
    for (const subject of places) expect(await kept(subject)).not.toBe('stolen')
  })

  test('does not let JetStream answer where its collectors may not send', async () => {
    const lease = `$KV.${leaseBucketOf('b')}.${token('b')}.held`
    await home.jetstream.publish(lease, 'holder of b')
    for (const reply of [lease, framesOf('b', 'held'), leaderCalls, siteSubjects('b').asks])
      a.nats.publish(framesOf('a', 's'), 'x', { reply })
    await settle()
    await expect(a.jetstream.publish(framesOf('a', 's'), 'x')).resolves.toMatchObject({ stream: streamName })
    const { kv } = await makeLeaseBucket(home, leaseBucketOf('b'), 1)
    expect((await kv.get(`${token('b')}.held`))?.string()).toBe('holder of b')
    expect(await kept(framesOf('b', 'held'))).toBeUndefined()
  })
})

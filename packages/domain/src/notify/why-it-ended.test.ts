import { describe, expect, test } from 'vitest'
import { email, dispatcherFixture, hook, settings } from './fixtures.ts'

const kinds = ({ received }: ReturnType<typeof dispatcherFixture>) =>
  received.map(({ channelId, kind }) => `${channelId} ${kind}`)

describe('why it ended', () => {
  test('a displaced alert has no resolved message, but its incident ends', () => {
    const incidents = { ...hook, id: 'webhook:2', hasIncidents: true }
    const now = dispatcherFixture(settings(), [email, hook, incidents])
    const episode = now.raise()
    now.received.length = 0
    now.resolve(episode, { endReason: 'displaced', endNote: 'There are too many alerts.' })
    expect(kinds(now)).toEqual(['webhook:2 resolved'])
    expect(now.ledger.size).toBe(0)
  })

  test('[R1] an alert that ended while Pulse was down gives the same reason', () => {
    const now = dispatcherFixture()
    const episode = now.raise()
    now.resolve(episode, { isApplied: false, endReason: 'unwatched', endNote: 'Its threshold is now 99.' })
    now.kill()
    expect(now.received.at(-1)).toMatchObject({
      kind: 'resolved',
      items: [{ alert: { endReason: 'unwatched', endNote: 'Its threshold is now 99.' } }],
    })
  })

  test('[R1] nor does an alert that was displaced while Pulse was down get a resolved message', () => {
    const now = dispatcherFixture()
    const episode = now.raise()
    now.resolve(episode, { isApplied: false, endReason: 'displaced' })
    now.kill()
    expect(kinds(now)).toEqual(['email raised'])
    expect(now.ledger.size).toBe(0)
  })
})

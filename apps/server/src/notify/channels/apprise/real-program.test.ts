import { startWebhookSink } from '@pulse/lab'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../../edges.ts'
import { anAlert, aNotice, apprise, keep, never, sendersWith } from '../fixtures.ts'
import { findApprise } from './run.ts'

const real = findApprise(undefined)
describe.skipIf(!real)(`the program itself${real ? '' : ' (skipped: no apprise)'}`, () => {
  const senders = () => sendersWith({ clock: realClock })

  test('brings an alert with an awkward name to its target', async () => {
    const sink = keep(await startWebhookSink())
    const target = `json://${new URL(sink.origin).host}/any`
    const name = '--config=/etc/passwd "$(id)" é'
    const notice = aNotice({
      alerts: [{ alert: anAlert({ resourceName: name, message: `-v ${name}\n{{.Level}}` }) }],
    })
    expect(
      await senders().apprise.send(apprise({ targets: [target], timeoutSeconds: 60 }), notice, never),
    ).toMatchObject({ delivered: true })
    expect(sink.received()[0]!.json).toMatchObject({
      title: `Critical: CPU on ${name}`,
      message: expect.stringContaining(`-v ${name}`),
      type: 'failure',
    })
  })

  test('reports a target that cannot be reached', async () => {
    const sink = await startWebhookSink()
    await sink.close()
    const target = `json://${new URL(sink.origin).host}/canary-path`
    const outcome = await senders().apprise.send(
      apprise({ targets: [target], timeoutSeconds: 60 }),
      aNotice(),
      never,
    )
    expect(outcome).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringMatching(/could not notify every target/),
    })
    expect(JSON.stringify(outcome)).not.toContain('canary')
  })
})

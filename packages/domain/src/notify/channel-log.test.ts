import { expect, test } from 'vitest'
import { SentMessages } from './channel-log.ts'
import { minuteMs } from './fixtures.ts'
import { SourceLimit } from './source-limit.ts'

test('[R18] messages older than an hour are forgotten with the next message, whatever it is about', () => {
  const [sent, limit] = [new SentMessages(), new SourceLimit()]
  for (let n = 0; n < 1_000; n++) {
    sent.add([`job-${n}`, 'nas'], false, n * minuteMs)
    limit.note(`warning host-${n}`, false, n * minuteMs)
  }
  expect([sent.size, sent.of('nas', false).length, limit.size]).toEqual([61, 60, 60])
})

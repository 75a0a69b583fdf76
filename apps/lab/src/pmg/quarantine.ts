import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { hash } from '../random.ts'
import type { MailGateway } from './gateway.ts'
import { mailBetween } from './mail.ts'

const daySeconds = 86_400
const keptDays = 7

export const quarantineRoutes = (gateway: MailGateway): ApplianceRoute[] => [
  { path: '/quarantine/spamstatus', needs: 'statistics', answer: (call) => spamStatus(gateway, call) },
  { path: '/quarantine/virusstatus', needs: 'statistics', answer: (call) => virusStatus(gateway, call) },
  {
    path: '/quarantine/attachment',
    needs: 'statistics',
    query: { starttime: 'integer', endtime: 'integer', pmail: 'string' },
    answer: (call) => attachments(gateway, call),
  },
]

const keptMail = ({ mailSeed }: MailGateway, { now }: ApplianceCall) => {
  const at = Math.floor(now() / 1000)
  return mailBetween(mailSeed, at - keptDays * daySeconds, at, at)
}

/** PMG returns averages as texts, but 0 as a number. */
const average = (value: number): string | number => (value === 0 ? 0 : value.toFixed(1))

function spamStatus(gateway: MailGateway, call: ApplianceCall) {
  const count = Math.floor(keptMail(gateway, call).spamIn * 0.6)
  const bytes = count * 5340
  return {
    count,
    mbytes: bytes / 1024 ** 2,
    avgbytes: average(count === 0 ? 0 : 5340),
    avgspam: average(count === 0 ? 0 : 7.5),
  }
}

function virusStatus(gateway: MailGateway, call: ApplianceCall) {
  const count = keptMail(gateway, call).virusIn
  return { count, mbytes: (count * 262_144) / 1024 ** 2, avgbytes: average(count === 0 ? 0 : 262_144) }
}

function attachments({ mailSeed, name }: MailGateway, { params, now }: ApplianceCall) {
  const until = Number(params.endtime ?? Math.floor(now() / 1000))
  const from = Number(params.starttime ?? until - daySeconds)
  const first = Math.ceil(from / 14_400)
  const count = Math.max(0, Math.min(1000, Math.floor(until / 14_400) - first + 1))
  return Array.from({ length: count }, (_, index) => {
    const time = (first + index) * 14_400
    const id = hash(`${mailSeed}/${name}/attachment/${time}`)
    return {
      id: `C${1 + (id % 3)}R${id}T${time}`,
      time,
      bytes: 20_000 + (id % 400_000),
      envelope_sender: `sender${id % 50}@example.org`,
      from: `Sender ${id % 50} <sender${id % 50}@example.org>`,
      receiver: `user${id % 20}@example.com`,
      subject: `invoice ${id % 10_000}`,
    }
  })
}

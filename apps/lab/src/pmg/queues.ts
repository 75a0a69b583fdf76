import { ApiError } from '../api/api-error.ts'
import { Serialised } from '../api/reply.ts'
import type { ApplianceRoute } from '../appliance/appliance.ts'
import { slotNoise } from '../load/curve.ts'
import { fraction, hash } from '../random.ts'
import { queueNames } from './gateway.ts'
import type { MailGateway, QueueName } from './gateway.ts'
import { memberAsked } from './members.ts'

/** Upper limits of the columns in minutes; the last column has none. */
const ages = [5, 10, 20, 40, 80, 160, 320, 640, 1280]
const columns = [...ages.map((age) => `${age}m`), '1280m+']

interface Queue {
  total: number
  oldestMinutes: number
}

export const queueRoutes = (gateway: MailGateway): ApplianceRoute[] => [
  {
    path: '/nodes/{node}/postfix/qshape',
    needs: 'audit',
    query: { queue: queueNames },
    answer: async (call) => {
      const member = await memberAsked(gateway, call)
      return shape(member, (call.params.queue ?? 'deferred') as QueueName, call.now())
    },
  },
  {
    path: '/nodes/{node}/postfix/queue',
    needs: 'audit',
    answer: async (call) => {
      await memberAsked(gateway, call)
      return ['deferred', 'active', 'incoming', 'hold'].map((name) => ({ name }))
    },
  },
  {
    path: '/nodes/{node}/postfix/queue/{queue}',
    needs: 'audit',
    query: {
      filter: 'string',
      limit: 'integer',
      start: 'integer',
      sortdir: ['ASC', 'DESC'],
      sortfield: 'string',
    },
    answer: async (call) => {
      const member = await memberAsked(gateway, call)
      const { queue, limit = '50', start = '0' } = call.params
      if (!queueNames.includes(queue as QueueName)) throw new ApiError(500, `unknown queue '${queue}'`)
      return messages(member, queue as QueueName, Number(start), Number(limit), call.now())
    },
  },
]

function queueOf({ seed, queues }: MailGateway, name: QueueName, nowMs: number): Queue {
  const pin = queues.get(name)
  if (pin) {
    const minutes = Math.max(0, (nowMs - pin.sinceMs) / 60_000)
    return {
      total: Math.floor(pin.total + pin.perMinute * minutes),
      oldestMinutes: pin.oldestMinutes + minutes,
    }
  }
  const noise = slotNoise(seed ^ hash(name), nowMs, 600_000)
  if (name === 'deferred') return { total: Math.floor(noise * 9), oldestMinutes: 8 + 100 * noise }
  return { total: name === 'active' ? Math.floor(noise * 3) : 0, oldestMinutes: 1 }
}

/** One mail in seven has the maximum age, the next half of it, then a quarter, and so on. */
function ageOf(index: number, { oldestMinutes }: Queue): number {
  return oldestMinutes / 2 ** (index % 7)
}

const columnOf = (minutes: number): number => {
  const column = ages.findIndex((age) => minutes <= age)
  return column < 0 ? ages.length : column
}

/** Every figure is a text. The first row is the sum of the others. */
function shape(member: MailGateway, name: QueueName, nowMs: number) {
  const queue = queueOf(member, name, nowMs)
  const counts = new Map<string, number[]>()
  // Counts identical mails together: ages repeat after seven mails, domains after nine.
  const everyKind = Math.min(queue.total, 63)
  for (let index = 0; index < everyKind; index++) {
    const times = Math.floor((queue.total - 1 - index) / 63) + 1
    const domain = domains[Math.floor(index / 7) % domains.length]!
    const row = counts.get(domain) ?? columns.map(() => 0)
    row[columnOf(ageOf(index, queue))]! += times
    counts.set(domain, row)
  }
  const total = columns.map((_, column) => [...counts.values()].reduce((sum, row) => sum + row[column]!, 0))
  const rows = [...counts].sort(([, left], [, right]) => sumOf(right) - sumOf(left))
  return [toRow('TOTAL', total), ...rows.map(([domain, row]) => toRow(domain, row))]
}

const domains = [
  'example.net',
  'home.arpa',
  'mail.example.org',
  'lists.example.com',
  'gone.example',
  'slow.example',
  'shop.example',
  'news.example',
  'branch.example',
]

const sumOf = (row: readonly number[]): number => row.reduce((left, right) => left + right, 0)

const toRow = (domain: string, row: readonly number[]) => ({
  domain,
  total: String(sumOf(row)),
  ...Object.fromEntries(columns.map((column, index) => [column, String(row[index])])),
})

/** PMG cuts the list first and sorts it afterwards; it returns the total separately. */
function messages(member: MailGateway, name: QueueName, start: number, limit: number, nowMs: number) {
  const queue = queueOf(member, name, nowMs)
  const count = Math.max(0, Math.min(limit, queue.total - start))
  const data = Array.from({ length: count }, (_, offset) => {
    const index = start + offset
    const id = hash(`${member.seed}/${name}/${index}`)
    return {
      queue_name: name,
      queue_id: id.toString(16).toUpperCase().padStart(10, '4'),
      arrival_time: Math.floor(nowMs / 1000 - ageOf(index, queue) * 60),
      message_size: 1500 + Math.floor(90_000 * fraction(id, 1)),
      sender: `sender${id % 50}@example.com`,
      receiver: `user${id % 20}@${domains[Math.floor(index / 7) % domains.length]}`,
      ...(name === 'deferred' && { reason: 'connect to mx: Connection timed out' }),
    }
  })
  return new Serialised(Buffer.from(JSON.stringify({ data, total: queue.total })))
}

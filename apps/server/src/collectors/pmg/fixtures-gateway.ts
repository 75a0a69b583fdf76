import type { Connection } from '@pulse/domain'
import { type Answers, givenHost } from '../proxmox/fixtures-host.ts'
import { pmgHost } from './index.ts'

const hour = 3_600
export const seconds = Date.UTC(2026, 0, 1, 11) / 1000

const brackets = ['5m', '10m', '20m', '40m', '80m', '160m', '320m', '640m', '1280m', '1280m+']

/** The wire format, with all values as text. `ages` by bracket. */
export const aQueue = (ages: Record<string, number> = {}) => {
  const total = Object.values(ages).reduce((sum, count) => sum + count, 0)
  const columns = Object.fromEntries(brackets.map((name) => [name, String(ages[name] ?? 0)]))
  return [
    { domain: 'TOTAL', total: String(total), ...columns },
    { domain: 'example.net', total: String(total), ...columns },
  ]
}

const anHour = (index: number, more: object = {}) => ({
  index,
  time: seconds - (24 - index) * hour,
  count: 10,
  count_in: 8,
  count_out: 2,
  spamcount_in: 3,
  spamcount_out: 0,
  viruscount_in: 1,
  viruscount_out: 0,
  bounces_in: 1,
  bounces_out: 0,
  ...more,
})

/** A cluster of two nodes. Both answer. */
export const usualAnswers = (): Answers => ({
  '/version': { version: '9.0.6', release: '9.0' },
  '/config/cluster/status?list_single_node=1': [
    {
      cid: 1,
      name: 'mail1',
      ip: '192.0.2.41',
      type: 'master',
      hostrsapubkey: 'ssh-rsa AAAA',
      fingerprint: 'AA:01',
      insync: 1,
      uptime: 86_400,
      loadavg: ['0.10', '0.12', '0.09'],
    },
    {
      cid: 2,
      name: 'mail2',
      ip: '192.0.2.42',
      type: 'node',
      fingerprint: 'BB:02',
      uptime: 3_600,
      loadavg: ['0.01', '0.02', '0.03'],
    },
  ],
  // Sums are texts in some hours and numbers in others.
  '/statistics/mailcount': [
    anHour(0, {
      count: '34',
      count_in: '30',
      count_out: '4',
      spamcount_in: '9',
      rbl_rejects: '5',
      pregreet_rejects: 1,
    }),
    ...Array.from({ length: 23 }, (_, n) => anHour(n + 1)),
  ],
  '/statistics/recent?hours=24&timespan=1800': [
    { index: 0, count: 30, bytes_in: '1000', bytes_out: 20, ptimesum: 21 },
    { index: 1, count: 10, bytes_in: 500.4, bytes_out: 5, ptimesum: 3 },
  ],
  '/statistics/mail?starttime=*': { count_in: 114, spamcount_in: 6, glcount: 4, junk_in: 20 },
  '/statistics/mail': { count_in: 200, spamcount_in: 8, glcount: 10, junk_in: 40 },
  '/statistics/spamscores?starttime=*': [
    { level: 0, count: 100, ratio: 0.9 },
    { level: '10', count: '6', ratio: 0.1 },
  ],
  '/statistics/spamscores': [
    { level: '0', count: 50 },
    { level: 10, count: 4 },
  ],
  '/quarantine/spamstatus': { count: 8, mbytes: 0.03, avgbytes: '534.0', avgspam: '7.5' },
  '/quarantine/virusstatus': { count: '2', mbytes: 0, avgbytes: 0 },
  '/quarantine/attachment': [{ id: 'a', sender: 'private@example.net' }, { id: 'b' }, { id: 'c' }],
  '/nodes/mail1/postfix/qshape?queue=active': aQueue({ '5m': 1 }),
  '/nodes/mail1/postfix/qshape?queue=deferred': aQueue({ '5m': 5, '40m': 2 }),
  '/nodes/mail1/postfix/qshape?queue=hold': aQueue(),
  '/nodes/mail1/postfix/qshape?queue=incoming': aQueue(),
  '/nodes/mail2/postfix/qshape*': aQueue(),
  '/nodes/mail1/backup': [
    { filename: 'pmg-backup_2026_01_01_69560000.tgz', size: 4_096, timestamp: seconds },
    { filename: 'broken.tgz', size: 1, timestamp: -1 },
  ],
  '/nodes/mail2/backup': [],
})

export const givenGateway = (change: Answers = {}, connection: Partial<Connection> = {}) =>
  givenHost(pmgHost, { ...usualAnswers(), ...change }, connection)

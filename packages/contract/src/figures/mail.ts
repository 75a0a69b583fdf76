import type { MailGateway } from '../entities/pmg.ts'
import { type FiguresOf, inSeconds } from './figure.ts'

const ofLastDay = (read: (stats: NonNullable<MailGateway['mailStats']>) => number) =>
  ({
    unit: 'count',
    read: ({ mailStats }: MailGateway) => mailStats && read(mailStats),
    history: 'gauge',
  }) as const

type QueueStatus = NonNullable<NonNullable<MailGateway['nodes']>[number]['queueStatus']>

const knownQueues = ({ nodes = [] }: MailGateway): QueueStatus[] =>
  nodes.flatMap(({ queueStatus, staleSince }) =>
    queueStatus && staleSince === undefined ? [queueStatus] : [],
  )

/** Mail in a queue of all nodes whose queues are known. */
const inQueues = (queue: 'total' | 'deferred' | 'hold') =>
  ({
    unit: 'count',
    read(gateway: MailGateway) {
      const known = knownQueues(gateway)
      return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one[queue], 0)
    },
    history: 'gauge',
  }) as const

const inQuarantine = (box: 'spam' | 'virus') =>
  ({
    unit: 'count',
    read: ({ quarantine }: MailGateway) => quarantine?.[box],
    history: 'gauge',
  }) as const

/** Counts of mail are those of the last 24 hours. */
export const pmgFigures: FiguresOf<'pmg'> = {
  mailIn: ofLastDay(({ countIn }) => countIn),
  mailOut: ofLastDay(({ countOut }) => countOut),
  spamIn: ofLastDay(({ spamIn }) => spamIn),
  virusIn: ofLastDay(({ virusIn }) => virusIn),
  queued: inQueues('total'),
  deferred: inQueues('deferred'),
  held: inQueues('hold'),
  /** its age when the queues were read; 0 without mail */
  oldestMail: {
    unit: 'seconds',
    read(gateway) {
      const ages = knownQueues(gateway).map(({ oldestAt, updatedAt }) =>
        oldestAt === undefined ? 0 : Math.max(0, Date.parse(updatedAt) - oldestAt),
      )
      return ages.length === 0 ? undefined : inSeconds(Math.max(...ages))
    },
    history: 'gauge',
  },
  quarantined: {
    unit: 'count',
    read: ({ quarantine }) => quarantine && quarantine.spam + quarantine.virus + quarantine.attachment,
    history: 'gauge',
  },
  quarantinedSpam: inQuarantine('spam'),
  quarantinedViruses: inQuarantine('virus'),
}

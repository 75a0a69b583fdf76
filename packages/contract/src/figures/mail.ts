import type { MailGateway } from '../entities/pmg.ts'
import type { FiguresOf } from './figure.ts'

const ofLastDay = (read: (stats: NonNullable<MailGateway['mailStats']>) => number) =>
  ({
    unit: 'count',
    read: ({ mailStats }: MailGateway) => mailStats && read(mailStats),
    history: 'gauge',
  }) as const

/** Counts of mail are those of the last 24 hours. */
export const pmgFigures: FiguresOf<'pmg'> = {
  mailIn: ofLastDay(({ countIn }) => countIn),
  mailOut: ofLastDay(({ countOut }) => countOut),
  spamIn: ofLastDay(({ spamIn }) => spamIn),
  virusIn: ofLastDay(({ virusIn }) => virusIn),
  /** mail in the queues of all nodes whose queues are known */
  queued: {
    unit: 'count',
    read({ nodes = [] }) {
      const known = nodes.flatMap(({ queueStatus, staleSince }) =>
        queueStatus && staleSince === undefined ? [queueStatus.total] : [],
      )
      return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0)
    },
    history: 'gauge',
  },
  quarantined: {
    unit: 'count',
    read: ({ quarantine }) => quarantine && quarantine.spam + quarantine.virus + quarantine.attachment,
    history: 'gauge',
  },
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metric } from '../metric.ts'

interface Answered {
  labels: readonly [route: string, method: string, status: string]
  count: number
  seconds: number
}

/** Counts responses by status and call of the contract; all unknown addresses share one counter. */
export interface Answers {
  count(app: FastifyInstance, calls: ReadonlySet<string>): void
  metrics: readonly Metric[]
}

export function createAnswers(): Answers {
  const answered = new Map<string, Answered>()
  const labels = ['route', 'method', 'status']
  const of = (name: string, help: string, value: (one: Answered) => number): Metric => ({
    name,
    type: 'counter',
    help,
    labels,
    samples: () => [...answered.values()].map((one) => [value(one), ...one.labels] as const),
  })

  function note(
    { routeOptions, method }: FastifyRequest,
    status: number,
    ms: number,
    calls: ReadonlySet<string>,
  ) {
    const { url = '' } = routeOptions
    const route = calls.has(url) ? url : 'other'
    const key = `${route} ${method} ${status}`
    let one = answered.get(key)
    if (!one) answered.set(key, (one = { labels: [route, method, String(status)], count: 0, seconds: 0 }))
    one.count++
    one.seconds += ms / 1000
  }

  return {
    count(app, calls) {
      app.addHook('onResponse', async (request, reply) =>
        note(request, reply.statusCode, reply.elapsedTime, calls),
      )
    },
    metrics: [
      of(
        'pulse_http_requests_total',
        'Answered HTTP requests by API route; unknown routes count as other.',
        ({ count }) => count,
      ),
      of(
        'pulse_http_request_seconds_total',
        'Time spent answering HTTP requests by API route, in seconds.',
        ({ seconds }) => seconds,
      ),
    ],
  }
}

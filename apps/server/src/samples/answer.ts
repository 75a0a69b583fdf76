/** One series of an answer: the label `id`, and its points in the order of time. */
export interface AnsweredSeries {
  id: string
  /** ms since 1970 */
  times: Float64Array
  values: Float64Array
}

const wrong = (what: string) => new Error(`it is no query API of Prometheus: ${what}`)

/** Reads the answer to a query. Any server may have written it. */
export function readMatrix(body: Buffer): AnsweredSeries[] {
  const { status, data } = fieldsOf(parsed(body), 'the answer')
  if (status !== 'success') throw wrong('the status is not "success"')
  const { resultType, result } = fieldsOf(data, 'data')
  if (resultType !== 'matrix') throw wrong('the result is no matrix')
  if (!Array.isArray(result)) throw wrong('the result is no list')
  return result.map((one) => {
    const { metric, values } = fieldsOf(one, 'a series')
    const { id } = fieldsOf(metric, 'the labels of a series')
    if (typeof id !== 'string' || !Array.isArray(values)) throw wrong('a series has no id or no values')
    return { id, ...pointsOf(values) }
  })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    throw wrong('the answer is no JSON')
  }
}

function fieldsOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${name} is no object`)
  return value as Record<string, unknown>
}

/** Without values that are no numbers, such as NaN. */
function pointsOf(values: readonly unknown[]): Pick<AnsweredSeries, 'times' | 'values'> {
  const times = new Float64Array(values.length)
  const numbers = new Float64Array(values.length)
  let length = 0
  for (const point of values) {
    if (!Array.isArray(point) || typeof point[0] !== 'number' || typeof point[1] !== 'string')
      throw wrong('a point is not a time and a value')
    const at = Math.round(point[0] * 1_000)
    const value = Number(point[1])
    if (!Number.isFinite(value) || !Number.isSafeInteger(at)) continue
    if (length > 0 && at < times[length - 1]!) throw wrong('its points are not in the order of time')
    times[length] = at
    numbers[length++] = value
  }
  return { times: times.subarray(0, length), values: numbers.subarray(0, length) }
}

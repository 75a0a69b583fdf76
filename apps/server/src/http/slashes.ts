import type { Endpoint } from '@pulse/contract'

/**
 * Restores the slashes of a parameter that a proxy has decoded. The text between the fixed parts of the
 * address is one value. The router decodes it exactly once, however it arrived.
 */
export function withSlashes(endpoints: readonly Endpoint[]): (url: string) => string {
  const routes = endpoints.flatMap(({ path, slashesIn }) => {
    if (slashesIn === undefined) return []
    const [start, end] = path.split(`:${slashesIn}`)
    if (end === undefined) throw new Error(`${path} has no parameter ${slashesIn}`)
    return [{ start: start!, end }]
  })
  return (url) => {
    const [path, ...query] = url.split('?') as [string, ...string[]]
    for (const { start, end } of routes) {
      if (!path.startsWith(start) || !path.endsWith(end)) continue
      const value = path.slice(start.length, path.length - end.length)
      if (path.length < start.length + end.length || !value.includes('/')) continue
      return [`${start}${value.replaceAll('/', '%2F')}${end}`, ...query].join('?')
    }
    return url
  }
}

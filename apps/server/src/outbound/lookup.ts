import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { addressProblem, type Reach, withAdvice } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

/** The name server as a dependency. */
export type Resolve = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Resolves once, so that the checked address is the dialled one. */
export function checkedLookup(reach: Reach, resolve: Resolve): LookupFunction {
  return (host, options, callback) =>
    resolve(host, { all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const permitted = found.filter(({ address }) => addressProblem(address, reach) === undefined)
      const [first] = permitted
      if (!first) {
        const problem = found[0] && addressProblem(found[0].address, reach)
        const advised = problem && reach.strict ? withAdvice(problem, host) : problem
        const reason = `${host} is not called: ${advised ?? 'it has no address'}`
        return callback(new OutboundError(reason, problem ? 'refused' : 'failed'), '', 0)
      }
      if (options.all) callback(null, permitted)
      else callback(null, first.address, first.family)
    })
}

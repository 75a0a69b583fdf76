import type { Notice } from '@pulse/contract'
import type { State } from '../state/state.ts'
import type { Troubles } from './troubles.ts'

const PREFIX = 'trouble-'

/** Shows problems of Pulse itself above the page, beside the notices of the start. */
export function showTroubles(troubles: Troubles, state: State): void {
  const show = () => {
    const others = state.meta.notices.filter(({ id }) => !id.startsWith(PREFIX))
    const own = troubles.list().map(({ id, message, count }): Notice => {
      const often = count > 1 ? ` (${count} times since the start)` : ''
      return { id: PREFIX + id, level: 'warning', message: message + often }
    })
    state.setMeta({ notices: [...others, ...own] })
  }
  troubles.onChange(show)
  show()
}

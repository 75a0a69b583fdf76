import { useShownLocation } from '../../ui/router/use-router.ts'
import { Guest } from './guest.tsx'
import { Node } from './node.tsx'
import { ThingPage } from './thing-page.tsx'

/** Everything about one guest. */
export function GuestPage() {
  const id = useThingId()
  return (
    <ThingPage key={id} kind="guests" id={id}>
      <Guest id={id} />
    </ThingPage>
  )
}

/** Everything about one node. */
export function NodePage() {
  const id = useThingId()
  return (
    <ThingPage key={id} kind="nodes" id={id}>
      <Node id={id} />
    </ThingPage>
  )
}

/** The store id in the address; an address that is no text leads to a thing that does not exist. */
function useThingId(): string {
  const encoded = useShownLocation()?.path.split('/')[3] ?? ''
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

import { deliveryLimits, DeliveryState } from '@pulse/contract'
import { useState } from 'react'
import { useAddress, useAddressValue } from '../../../../ui/router/use-address.ts'
import type { DeliveryFilter } from './use-deliveries.ts'

const whole = (value: string | undefined) => (value === 'all' ? undefined : value)

/** Which messages are listed, as the address has it; how many of them is this visit's. */
export function useDeliveryFilter(): [DeliveryFilter, (change: Partial<DeliveryFilter>) => void] {
  const { set } = useAddress()
  const [state = 'all'] = useAddressValue('state', DeliveryState.options)
  const [channel = 'all'] = useAddressValue('channel')
  const [limit, setLimit] = useState<number>(deliveryLimits.usual)
  const change = ({ limit: more, ...chosen }: Partial<DeliveryFilter>) => {
    if (more !== undefined) setLimit(more)
    set(Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, whole(value)])))
  }
  return [{ state, channel, limit }, change]
}

import { useCallback, useMemo } from 'react'
import type { Router } from './router.ts'
import { useRouter, useRouterView } from './use-router.ts'

export type AddressChange = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Address {
  params: URLSearchParams
  /** Sets parameters of the visible page; undefined and empty values remove them. Adds no history entry. */
  set(change: AddressChange): void
}

/** The view of a page as parameters of its address. Back and reload keep it, and a link shares it. */
export function useAddress(): Address {
  const router = useRouter()
  const search = useRouterView(({ shown, location }) => (shown?.location ?? location).search)
  const params = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback((change: AddressChange) => changeAddress(router, change), [router])
  return { params, set }
}

function changeAddress(router: Router, change: AddressChange): void {
  const { location, shown } = router.view()
  // the address already belongs to the next page
  if (shown && shown.location.path !== location.path) return
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(change)) {
    params.delete(name)
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one) params.append(name, one)
  }
  const next = params.size > 0 ? `?${params.toString()}` : ''
  if (next !== location.search) router.replace(location.path + next + location.hash)
}

/** One parameter of the address. Undefined unless it is one of the listed values. */
export function useAddressValue<T extends string>(
  name: string,
  values?: readonly T[],
): [T | undefined, (value: T | undefined) => void] {
  const { params, set } = useAddress()
  const found = (params.get(name) ?? undefined) as T | undefined
  const isKnown = found !== undefined && (!values || values.includes(found))
  const setOne = useCallback((value: T | undefined) => set({ [name]: value }), [set, name])
  return [isKnown ? found : undefined, setOne]
}

import { getSystemSettings } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'

export function useSystemSettings() {
  const api = useApi()
  return useQuery({
    queryKey: [getSystemSettings.path],
    queryFn: ({ signal }) => api.call(getSystemSettings, { signal }),
  })
}

import { type Preference, type PreferenceKey, preferences } from '@pulse/contract'
import { useState } from 'react'
import { type PreferenceValue, readPreference, writePreference } from '../../lib/storage.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'

/**
 * A choice kept in the address. If the address has none, the hook uses this browser's preference at mount.
 * Choosing also stores the preference; undefined clears both.
 */
export function usePreferenceInAddress<K extends PreferenceKey>(
  name: string,
  key: K,
): [PreferenceValue<K>, (value: Preference<K> | undefined) => void] {
  const [given, setGiven] = useAddressValue(name, preferences[key].values as readonly Preference<K>[])
  const [preferred, setPreferred] = useState(() => readPreference(key))
  const choose = (value: Preference<K> | undefined) => {
    writePreference(key, value)
    setPreferred(value ?? (preferences[key].initial as PreferenceValue<K>))
    setGiven(value)
  }
  return [given ?? preferred, choose]
}

import { type Preference, type PreferenceKey, preferences } from '@pulse/contract'
import { useState } from 'react'
import { type PreferenceValue, readPreference, writePreference } from '../../lib/storage.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'

/**
 * A choice that stands in the address; where that says nothing, it is as this browser remembered it when the page was
 * opened. What is chosen is remembered too; undefined gives it up in both.
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

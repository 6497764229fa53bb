// A model as it lies on disk, with what is known of it. Travels to the workers.
import type { CatalogModel, Device } from './catalog.ts'
import type { ModelReading } from './reading.ts'

export interface ModelLocation {
  id: string
  /** Absolute path of the folder that holds config.json, tokenizer.json and onnx/. */
  directory: string
  device: Device
  spec: Pick<CatalogModel, 'kind' | 'tokenizer' | 'dimensions' | 'maximumTokens'>
  /** What the folder itself says; left out for a model that is read plainly, as those of the catalog are. */
  reading?: ModelReading
}

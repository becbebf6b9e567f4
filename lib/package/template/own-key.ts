import { arnOf, type Statement } from '../grants.ts'
import { allowFunctions, type Template } from './template.ts'

/**
 * Encrypts the table and the documents with a key of the operator's. Without the key, or the permission to use it, the
 * data cannot be read. Public media keep S3's own key: CloudFront reads them.
 */
export function useOwnKey(template: Template, key: string): void {
  const { Table, DocumentsBucket } = template.Resources
  if (Table) {
    Table.Properties['SSESpecification'] = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key }
  }
  if (DocumentsBucket) {
    DocumentsBucket.Properties['BucketEncryption'] = {
      ServerSideEncryptionConfiguration: [
        {
          ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key },
          BucketKeyEnabled: true,
        },
      ],
    }
  }
  allowFunctions(template, (allowed) => {
    const services = servicesOf(allowed)
    if (services.length === 0) return undefined
    return {
      Effect: 'Allow',
      Action: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'],
      Resource: key,
      Condition: { StringEquals: { 'kms:ViaService': services } },
    }
  })
}

/** Returns the services through which a function reads and writes what the key encrypts. */
function servicesOf(allowed: readonly Statement[]): object[] {
  const allowedArns = allowed.flatMap(({ Resource }) => [Resource].flat().map(arnOf))
  // As `arnOf` spells references to these resources.
  const encryptedArns = { dynamodb: '{Table.Arn}', s3: '{DocumentsBucket.Arn}' }
  return Object.entries(encryptedArns)
    .filter(([, encrypted]) => allowedArns.some((arn) => arn.startsWith(encrypted)))
    .map(([service]) => ({ 'Fn::Sub': `${service}.\${AWS::Region}.\${AWS::URLSuffix}` }))
}

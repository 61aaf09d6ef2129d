import { Validator } from '@seriousme/openapi-schema-validator';
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import { describe, expect, it } from '@jest/globals';
import { request, sandbox } from '../open.js';

async function documentOf(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>;
}

describe('GET /openapi.json', () => {
  it.each(['base', 'derived'] as const)('is valid OpenAPI 3.1 (%s)', async (variant) => {
    const { url } = await sandbox({ variant });
    const document = await documentOf(url);
    const validator = new Validator();
    expect(await validator.validate(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(JSON.stringify(document).includes('"derived":{')).toBe(variant === 'derived');
  });

  it('a client generated from it drives /prove', async () => {
    const { url, options } = await sandbox();
    const api = new OpenAPIClientAxios({ definition: (await documentOf(url)) as unknown as Document });
    const client = await api.init();
    const headers = { authorization: `Bearer ${options.apiKey}` };
    const how = { headers, validateStatus: () => true };
    const started = await client['prove']?.(undefined, request(), how);
    expect([started?.status, started?.data]).toEqual([
      200,
      { success: true, redirect_url: expect.stringContaining(`${url}/wallet/`) },
    ]);
    const refused = await client['prove']?.(undefined, request({ revealed: [] }), how);
    expect([refused?.status, refused?.data.error.error]).toEqual([400, 'error_invalid_body']);
  });

  it('names every error code at its status, and the callback', async () => {
    const { paths } = (await documentOf((await sandbox()).url)) as {
      paths: {
        '/prove': { post: { responses: Record<string, { description: string }>; callbacks: object } };
      };
    };
    const { responses, callbacks } = paths['/prove'].post;
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '500']);
    expect(responses['401']?.description).toContain('error_account');
    expect(JSON.stringify(callbacks)).toContain('SuccessCallback');
  });
});

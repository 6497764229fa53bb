#!/bin/sh
# Searches with curl. The JSON is made by hand from an argument, so the argument is escaped first.
#
#   VERBATIM_URL=http://127.0.0.1:3000 VERBATIM_KEY=vbt_… sh examples/search.sh 'your question'
set -eu

query=$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g')
curl --silent --show-error --fail-with-body "${VERBATIM_URL:-http://127.0.0.1:3000}/v1/search" \
  --header "Authorization: Bearer $VERBATIM_KEY" \
  --header 'Content-Type: application/json' \
  --data "{\"query\": \"$query\", \"search_depth\": \"exhaustive\"}"

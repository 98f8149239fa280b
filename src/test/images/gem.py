"""Writes a small gem, as `gem build` would, without Ruby. usage: gem.py FILE"""
import gzip
import io
import sys
import tarfile

CODE = b'module AcmeGreeting; def self.of(name) = "hello #{name}"; end\n'
SPECIFICATION = b"""--- !ruby/object:Gem::Specification
name: acme_greeting
version: !ruby/object:Gem::Version
  version: 1.2.3
platform: ruby
authors: [A]
date: 2026-01-01 00:00:00.000000000 Z
dependencies: []
files: [lib/acme_greeting.rb]
require_paths: [lib]
required_ruby_version: !ruby/object:Gem::Requirement
  requirements:
  - - ">="
    - !ruby/object:Gem::Version
      version: '0'
required_rubygems_version: !ruby/object:Gem::Requirement
  requirements:
  - - ">="
    - !ruby/object:Gem::Version
      version: '0'
summary: greets
specification_version: 4
"""


def archive(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return out.getvalue()


with open(sys.argv[1], "wb") as gem:
    gem.write(archive({
        "metadata.gz": gzip.compress(SPECIFICATION, mtime=0),
        "data.tar.gz": gzip.compress(archive({"lib/acme_greeting.rb": CODE}), mtime=0),
    }))

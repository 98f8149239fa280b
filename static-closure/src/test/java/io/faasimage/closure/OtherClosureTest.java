package io.faasimage.closure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Ruby, PHP, Java and locales. */
class OtherClosureTest {
    @Test
    void rubyRequiresFromItsLoadPathAndFromGems() throws Exception {
        String own = "/usr/local/lib/ruby/3.3.0";
        String gems = "/usr/local/bundle";
        MadeImage image = new MadeImage()
                .with("GEM_HOME", gems)
                .elf("/usr/local/bin/ruby", MadeElf.program(""))
                .file(own + "/rubygems.rb", "require 'rbconfig'\n")
                .file(own + "/x86_64-linux/rbconfig.rb", "# config\n")
                .elf(own + "/x86_64-linux/enc/encdb.so", MadeElf.library())
                .file(own + "/json.rb", "=begin\nrequire 'no'\n=end\nrequire 'json/ext' # require 'not'\n")
                .elf(own + "/x86_64-linux/json/ext.so", MadeElf.library())
                .file(gems + "/specifications/web-1.0.gemspec", "# spec\n")
                .file(gems + "/gems/web-1.0/lib/web.rb", """
                        require_relative "web/base"
                        autoload :Rare, "web/rare"
                        def run
                          require "json"
                        end
                        """)
                .file(gems + "/gems/web-1.0/lib/web/base.rb", "# base\n")
                .file(gems + "/gems/web-1.0/lib/web/rare.rb", "# rare\n")
                .file(gems + "/specifications/server-2.0.gemspec", "# server\n")
                .file(gems + "/gems/server-2.0/lib/server.rb", "# server code\n")
                .file(gems + "/specifications/idle-2.0.gemspec", "# idle\n")
                .file(gems + "/gems/idle-2.0/lib/idle.rb", "# idle code\n")
                .file("/app/app.rb", "require 'web'\nrequire_relative './part'\nset :server, :server\n")
                .file("/app/run", "#!/usr/local/bin/ruby\nrequire_relative 'part'\n")
                .file("/app/part.rb", "# part\n");
        Map<String, Double> confidences = image.confidences("/usr/local/bin/ruby", "-W0", "app.rb");
        assertThat(confidences)
                .containsKeys(
                        own + "/rubygems.rb",
                        own + "/x86_64-linux/rbconfig.rb",
                        own + "/x86_64-linux/enc/encdb.so",
                        gems + "/specifications/web-1.0.gemspec",
                        "/app/app.rb",
                        "/app/part.rb",
                        gems + "/gems/web-1.0/lib/web.rb",
                        gems + "/gems/web-1.0/lib/web/base.rb",
                        gems + "/gems/server-2.0/lib/server.rb")
                .doesNotContainKeys(gems + "/gems/idle-2.0/lib/idle.rb");
        assertThat(confidences.get(own + "/json.rb")).isLessThan(0.2);
        assertThat(confidences.get(gems + "/gems/web-1.0/lib/web/rare.rb")).isLessThan(0.5);
        assertThat(image.reads("./run")).contains("/app/run", "/app/part.rb");
        assertThat(image.reads("/usr/local/bin/ruby", "-rjson", "-e", "1"))
                .contains(own + "/json.rb", own + "/x86_64-linux/json/ext.so");
    }

    @Test
    void phpReadsSettingsAndComposersClasses() throws Exception {
        MadeImage image = new MadeImage()
                .elf("/usr/local/bin/php", MadeElf.program(""))
                .file("/usr/local/etc/php/conf.d/intl.ini", "; comment\nextension = intl ; other\n")
                .elf("/usr/local/lib/php/extensions/no-debug-non-zts-20230831/intl.so", MadeElf.library("libicu.so"))
                .elf("/usr/lib/libicu.so", MadeElf.library())
                .file("/app/index.php", """
                        <h1>require 'no.php';</h1>
                        <?php
                        namespace App;
                        use Lib\\Kernel as Core;
                        require_once __DIR__ . '/vendor/autoload.php';
                        # include 'no.php';
                        $x = new Core(<<<END
                          require 'no.php';
                          END);
                        Model\\User::find(1);
                        """)
                .file("/app/vendor/autoload.php", "<?php\nrequire_once __DIR__ . '/composer/autoload_real.php';\n")
                .file("/app/vendor/composer/autoload_real.php", """
                        <?php
                        class Init {
                            public static function getLoader() { require __DIR__ . '/autoload_static.php'; }
                        }
                        """)
                .file("/app/vendor/composer/autoload_static.php", """
                        <?php
                        class S {
                            public static $files = array (
                                '0e6d7bf4a5811bfa5cf40c5ccd6fae6a' => __DIR__ . '/..' . '/lib/functions.php',
                            );
                            public static $prefixDirsPsr4 = array (
                                'Lib\\\\' => array ( 0 => __DIR__ . '/..' . '/lib/src', ),
                                'App\\\\' => array ( 0 => __DIR__ . '/../..' . '/src', ),
                            );
                        }
                        """)
                .file("/app/vendor/lib/functions.php", "<?php // functions")
                .file("/app/vendor/lib/src/Kernel.php", "<?php namespace Lib; class Kernel extends Base { use Part; }")
                .file("/app/vendor/lib/src/Base.php", "<?php namespace Lib; abstract class Base {} // base")
                .file("/app/vendor/lib/src/Part.php", "<?php namespace Lib; trait Part {} // part")
                .file("/app/vendor/lib/src/Unused.php", "<?php namespace Lib; class Unused {}")
                .file("/app/src/Model/User.php", "<?php namespace App\\Model; class User {}")
                .file("/app/no.php", "<?php // no");
        assertThat(image.reads("/usr/local/bin/php", "-S", "0.0.0.0:80", "index.php"))
                .contains(
                        "/usr/local/etc/php/conf.d/intl.ini",
                        "/usr/local/lib/php/extensions/no-debug-non-zts-20230831/intl.so",
                        "/usr/lib/libicu.so",
                        "/app/index.php",
                        "/app/vendor/autoload.php",
                        "/app/vendor/composer/autoload_real.php",
                        "/app/vendor/composer/autoload_static.php",
                        "/app/vendor/lib/functions.php",
                        "/app/vendor/lib/src/Kernel.php",
                        "/app/vendor/lib/src/Base.php",
                        "/app/vendor/lib/src/Part.php",
                        "/app/src/Model/User.php")
                .doesNotContain("/app/no.php", "/app/vendor/lib/src/Unused.php");
    }

    @Test
    void localesHaveAllCategories() throws Exception {
        MadeImage image = new MadeImage()
                .with("LANG", "C.UTF-8")
                .elf("/usr/bin/program", MadeElf.program(""))
                .file("/usr/lib/locale/C.utf8/LC_CTYPE", "ctype")
                .file("/usr/lib/locale/C.utf8/LC_TIME", "time")
                .file("/usr/lib/locale/C.utf8/LC_MESSAGES/SYS_LC_MESSAGES", "messages")
                .file("/etc/group", "root:x:0:");
        assertThat(image.reads("program"))
                .contains(
                        "/usr/lib/locale/C.utf8/LC_CTYPE",
                        "/usr/lib/locale/C.utf8/LC_TIME",
                        "/usr/lib/locale/C.utf8/LC_MESSAGES/SYS_LC_MESSAGES",
                        "/etc/group");
    }

    @Test
    void javaReadsItsHomeAndTheClassPath() throws Exception {
        String home = "/opt/java/openjdk";
        MadeImage image = new MadeImage()
                .elf(home + "/bin/java", MadeElf.program(""))
                .file(home + "/lib/modules", "modules")
                .elf(home + "/lib/server/libjvm.so", MadeElf.library("libm.so.6"))
                .elf("/lib/libm.so.6", MadeElf.library())
                .file("/app/app.jar", jar("Class-Path: lib/a.jar b.jar"))
                .file("/app/lib/a.jar", jar("X: y"))
                .file("/app/lib/c.jar", "damaged")
                .file("/app/classes/a/Main.class", "class");
        assertThat(image.reads(home + "/bin/java", "-Xmx1g", "-jar", "app.jar"))
                .contains(home + "/lib/modules", home + "/lib/server/libjvm.so", "/lib/libm.so.6")
                .contains("/app/app.jar", "/app/lib/a.jar")
                .doesNotContain("/app/lib/c.jar");
        assertThat(image.reads(home + "/bin/java", "-cp", "/app/classes:/app/lib/*", "a.Main"))
                .contains("/app/classes/a/Main.class", "/app/lib/a.jar", "/app/lib/c.jar");
    }

    private static byte[] jar(String line) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            zip.write(("Manifest-Version: 1.0\r\n" + line + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
